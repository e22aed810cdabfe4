/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static io.github.batchresidue.engine.Bench.BAD;
import static io.github.batchresidue.engine.Bench.BUSY;
import static io.github.batchresidue.engine.Bench.column;
import static io.github.batchresidue.engine.Bench.dead;
import static io.github.batchresidue.engine.Bench.verdicts;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One example for each rule of the loop: what goes into which request, and when. */
class LoopTest {

    private final Bench bench = new Bench();

    // ---- Filling requests

    @Test
    void aRequestHoldsAsManyItemsAsABatch() {
        bench.options.batchSize(2);
        bench.items("abcde").end();
        assertThat(bench.requests).containsExactly("0 ab", "0 cd", "0 e");
    }

    @Test
    void fillingEndsAtTheFirstItemThatDoesNotFitByBytes() {
        bench.options.batchBytes(4).envelopeBytes(1);
        bench.items("abcde").end();
        assertThat(bench.requests).containsExactly("0 abc", "0 de");
    }

    @Test
    void whereARequestHasNoRoomForAnyItemAllAreTooLarge() {
        bench.options.batchBytes(4).envelopeBytes(5);
        Ledger ledger = bench.items("abc").end().ledger();
        assertThat(bench.requests).isEmpty();
        assertThat(ledger.terminalItems())
                .extracting(LedgerItem::reason)
                .containsExactly(Reason.TOO_LARGE, Reason.TOO_LARGE, Reason.TOO_LARGE);
    }

    @Test
    void fillingEndsAtTheFirstItemThatTheRuleDoesNotAllow() {
        bench.options.requestRule(LoopTest::atMostTwoCases);
        bench.items("aBBcDefgHI").end();
        assertThat(bench.requests).containsExactly("0 aBB", "0 cD", "0 efgHI");
    }

    @Test
    void aRuleHoldsForResidueTooAndHalvesNeedNoneOfTheirOwn() {
        bench.options.requestRule(LoopTest::atMostTwoCases);
        bench.options.parallelRequests(2);
        bench.latency(10).items("aBcD").replies("rr", "rr", new Reply.TooLarge(BAD));
        bench.end();
        assertThat(bench.requests).containsExactly("0 aB", "0 cD", "1010 aB", "1010 cD", "1020 a", "1020 B");
    }

    @Test
    void aRuleThatThrowsFailsTheRunAndLosesNoItem() {
        bench.options.requestRule((request, next) -> {
            throw new IllegalStateException("no rule");
        });
        RunEnd end = bench.items("abc").end();
        assertThat(bench.requests).isEmpty();
        assertThat(end.failure()).hasMessage("no rule");
        assertThat(column(end.ledger().pendingItems())).isEqualTo("abc");
    }

    private static boolean atMostTwoCases(List<Content> request, Content next) {
        StringBuilder names = new StringBuilder();
        request.forEach(content -> names.append(content.body()));
        return names.append(next.body()).toString().matches("[a-z]*[A-Z]*|[A-Z]*[a-z]*");
    }

    @Test
    void anItemKnownToBeTooLargeIsNeverSent() {
        bench.options.batchBytes(2).envelopeBytes(2);
        RunEnd end = bench.items("ab").end();
        assertThat(bench.requests).isEmpty();
        assertThat(dead(end.ledger())).containsExactly("a TERMINAL TOO_LARGE", "b TERMINAL TOO_LARGE");
        assertThat(end.ledger().terminalItems().get(1).failure().message())
                .isEqualTo(
                        "item 1: a request with it alone has 3 bytes, and at most 2 are allowed by batchBytes or, without it, by the bulk API");
    }

    @Test
    void anItemThatCanNeverBeSentIsTerminalAndTheOthersGo() {
        RunEnd end = bench.items("abc").refused('b', Reason.REJECTED).end();
        assertThat(bench.requests).containsExactly("0 ac");
        assertThat(dead(end.ledger())).containsExactly("b TERMINAL REJECTED");
    }

    @Test
    void aBodyWithoutItemsIsASuccessWithoutARequest() {
        Ledger ledger = bench.end().ledger();
        assertThat(bench.requests).isEmpty();
        assertThat(ledger).returns(0L, Ledger::items).returns(true, Ledger::inputExhausted);
    }

    @Test
    void dueResidueGoesBeforeFreshItemsInTheOrderOfTheBodyAndOnItsOwn() {
        bench.options.batchSize(3);
        bench.latency(600).items("abcdefghi").replies("+r+", "r++", "+++", "++");
        bench.end();
        // b is due at 1600, d at 2200; both wait while a request is in flight.
        assertThat(bench.requests).containsExactly("0 abc", "600 def", "1200 ghi", "1800 b", "2400 d");
    }

    @Test
    void itemsThatStayLongerThanOthersAreTold() {
        bench.options.batchSize(4);
        bench.items("abcdefgh")
                .key("ae")
                .refused('h', Reason.REJECTED)
                .replies("r+++", "+t")
                .end();
        // a waits, e is held for its key, g and h are dead; the others pass.
        assertThat(bench.detached).containsExactlyInAnyOrder('a', 'e', 'g', 'h');
    }

    @Test
    void onlyItemsThatNobodyCanComeBackToAreDiscarded() {
        bench.options.batchSize(4).retainEnded(false);
        bench.items("abcdefgh").key("ae").replies("r++t", "u++").end();
        // a is sent twice, d is terminal, f is given up.
        assertThat(bench.discarded).containsExactlyInAnyOrder('b', 'c', 'e', 'g', 'h');
    }

    @Test
    void whatTheLedgerListsOrAnObserverIsToldOfIsNotDiscarded() {
        Bench observed = new Bench();
        observed.options.retainEnded(false);
        observed.observer = new Observer() {}; // It sees what lands.
        bench.items("abc").end();
        observed.items("abc").end();
        assertThat(bench.discarded).isEmpty();
        assertThat(observed.discarded).isEmpty();

        Bench counted = new Bench();
        counted.options.retainEnded(false);
        counted.observer = new Observer() {
            @Override
            public boolean seesLanded() {
                return false;
            }
        };
        counted.items("abc").end();
        assertThat(counted.discarded).containsExactlyInAnyOrder('a', 'b', 'c');
    }

    @Test
    void whatTheLedgerOfAnEarlierRunListsIsNotDiscarded() {
        bench.options.batchSize(3).retainEnded(false);
        bench.items("abcdefg")
                .key("ac")
                .safe("abd")
                .replies(new IllegalStateException("gone"))
                .end();
        assertThat(bench.resume().ledger().landed()).isEqualTo(7);
        // c was held and has been sent once; it stands in the ledger of the first run all the same.
        assertThat(bench.discarded).containsExactlyInAnyOrder('e', 'f', 'g');
    }

    // ---- Waits

    @Test
    void aHintLengthensTheWaitOfTheWholeReply() {
        bench.items("ab").replies(verdicts("rr", 2500)).end();
        assertThat(bench.requests).containsExactly("0 ab", "2500 ab");
    }

    @Test
    void aHintNeverShortensTheWait() {
        bench.items("ab").replies(verdicts("rr", 10)).end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab");
    }

    @Test
    void aHintMayExceedTheCapAndDoesNotChangeTheNextWait() {
        bench.items("a").replies(verdicts("r", 90_000), "r").end();
        assertThat(bench.requests).containsExactly("0 a", "90000 a", "92000 a");
    }

    @Test
    void aHintWithoutMeasureDoesNotOverflow() {
        bench.options.redeliveryTimeoutMillis(5000);
        assertThat(dead(bench.items("a")
                        .replies(verdicts("r", Long.MAX_VALUE))
                        .end()
                        .ledger()))
                .containsExactly("a GIVEN_UP TIMEOUT");
    }

    @Test
    void jitterIsDrawnOncePerReply() {
        Deque<Double> draws = new ArrayDeque<>(List.of(0.5, 0.25));
        bench.random = draws::remove;
        bench.options.backOff(new ExponentialBackOff(1000, 2, 60_000, Jitter.EQUAL));
        bench.items("abc").replies("rrr", "rrr").end();
        assertThat(bench.requests).containsExactly("0 abc", "750 abc", "2000 abc");
        assertThat(draws).isEmpty();
    }

    @Test
    void theWaitGrowsWithTheRedeliveriesOfTheItem() {
        bench.options.batchSize(2);
        bench.items("ab").replies("rr", "+r", "r").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab", "3000 b", "7000 b");
    }

    // ---- Sharing requests

    @Test
    void aSmallRequestLingersForResidueThatFallsDueWithinATenthOfItsWait() {
        bench.options.batchSize(3);
        bench.latency(50).items("abcdef").replies("++r", "++r").end();
        // c is due at 1050 and lingers for f, due at 1100.
        assertThat(bench.requests).containsExactly("0 abc", "50 def", "1100 cf");
    }

    @Test
    void itDoesNotLingerForResidueThatIsDueLater() {
        bench.options.batchSize(3);
        bench.latency(101).items("abcdef").replies("++r", "++r").end();
        assertThat(bench.requests).containsExactly("0 abc", "101 def", "1101 c", "1202 f");
    }

    @Test
    void lingeringIsNeverExtendedByResidueThatBecomesKnownLater() {
        bench.options.batchSize(2).backOff(new ExponentialBackOff(500, 1, 500, Jitter.NONE));
        bench.byHand().items("abcd").start();
        bench.answer(0, verdicts("+r", 10_000)); // b is due at 10000, and would linger until 11000
        assertThat(bench.requests).containsExactly("0 ab", "0 cd");
        bench.time.runUntil(10_050);
        bench.answer(1, "+r"); // d is due at 10550, but became known only after b was due
        assertThat(bench.requests).containsExactly("0 ab", "0 cd", "10050 b");
    }

    @Test
    void aFullRequestDoesNotLinger() {
        bench.options.batchSize(2).parallelRequests(2);
        bench.byHand().items("abcd").start();
        bench.time.in(0, () -> bench.answer(0, "rr"));
        bench.time.in(50, () -> bench.answer(1, "+r"));
        bench.time.runUntil(1050);
        assertThat(bench.requests).containsExactly("0 ab", "0 cd", "1000 ab", "1050 d");
        bench.answer(2, "++");
        bench.answer(3, "+");
        assertThat(bench.ends).hasSize(1);
    }

    @Test
    void freshItemsFlowWhileResidueLingers() {
        bench.options.batchSize(3).parallelRequests(2);
        bench.byHand().items("abcdefghi").start();
        bench.time.in(0, () -> bench.answer(0, "++r"));
        bench.time.in(90, () -> bench.answer(1, "++r"));
        bench.time.in(1010, () -> bench.answer(2, "+++")); // c lingers until 1090
        bench.time.runUntil(1089);
        assertThat(bench.requests).containsExactly("0 abc", "0 def", "0 ghi");
        bench.time.runUntil(1090);
        assertThat(bench.requests).endsWith("1090 cf");
        bench.answer(3, "++");
        assertThat(bench.ends).hasSize(1);
    }

    @Test
    void aThousandRequestsLeavingOneItemEachDoNotBecomeAThousandRequestsOfOne() {
        int batches = 1000;
        List<Integer> sizes = new ArrayList<>();
        int[] read = {0};
        bench.source = new Source() {
            @Override
            public Content next() {
                return read[0] == batches * 10 ? null : new TestContent(read[0]++, 1, null, false, null);
            }

            @Override
            public boolean exhausted() {
                return false;
            }
        };
        bench.options.batchSize(10);
        bench.transport = (items, reply) -> {
            sizes.add(items.size());
            boolean fresh = items.get(0).attempts() == 1;
            bench.time.in(1, () -> reply.accept(verdicts(fresh ? "r+++++++++" : "+".repeat(items.size()), 0)));
        };
        Ledger ledger = bench.end().ledger();
        assertThat(ledger.landed()).isEqualTo(10_000);
        assertThat(sizes.stream().filter(size -> size == 1)).isEmpty();
        assertThat(sizes).hasSizeLessThan(batches + batches / 10 + 2);
    }

    // ---- Holding back

    @Test
    void afterAReplyInWhichFewerThanHalfLandNothingNewStartsBeforeTheEarliestOfItsResidueIsDue() {
        bench.options.batchSize(4);
        bench.items("abcdefgh").replies("+rrr").end();
        assertThat(bench.requests).containsExactly("0 abcd", "1000 bcd", "1000 efgh");
    }

    @Test
    void afterAReplyInWhichHalfLandTheNextItemsGoAtOnce() {
        bench.options.batchSize(4);
        bench.items("abcdefgh").replies("++rr").end();
        assertThat(bench.requests).containsExactly("0 abcd", "0 efgh", "1000 cd");
    }

    @Test
    void unknownItemsThatAreSentAgainHoldBackToo() {
        bench.options.batchSize(2).retryTransportFailures(true);
        bench.items("abcd").safe("abcd");
        bench.replies(new Reply.TransportFailed(new Exception("reset"), BUSY, false, 0))
                .end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab", "1000 cd");
    }

    @Test
    void residueThatIsGivenUpHoldsNothingBack() {
        bench.options.batchSize(2).maximumRedeliveries(0);
        bench.items("abcd").replies("rr").end();
        assertThat(bench.requests).containsExactly("0 ab", "0 cd");
    }

    @Test
    void itemsReleasedFromTheirKeyCountAsFresh() {
        bench.options.batchSize(2);
        bench.items("abcd").key("ac").replies("rt").end();
        // b ends in a reply in which nothing landed; c waits for a, d is new.
        assertThat(bench.requests).containsExactly("0 ab", "1000 a", "1000 cd");
    }

    @Test
    void whatAReplyDuringTheCallSaysHoldsForTheNextParallelRequest() {
        bench.options.batchSize(2).parallelRequests(3);
        bench.items("abcd").replies("rr").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab", "1000 cd");
    }

    // ---- Halving and victims

    @Test
    void halvingIsDepthFirstTheEarlierHalfFirstAndTheLargerIfOdd() {
        bench.options.batchSize(5);
        Reply rejected = new Reply.Rejected(BAD, true);
        RunEnd end = bench.items("abcdefg")
                .replies(rejected, rejected, "++", rejected, rejected)
                .end();
        assertThat(bench.requests).containsExactly("0 abcde", "0 abc", "0 ab", "0 c", "0 de", "0 d", "0 e", "0 fg");
        assertThat(dead(end.ledger())).containsExactly("c TERMINAL REJECTED");
        assertThat(end.ledger().terminalItems().get(0).failure()).isEqualTo(BAD);
    }

    @Test
    void halvesGoInParallelAsFarAsAllowed() {
        bench.options.batchSize(4).parallelRequests(2);
        bench.byHand().items("abcd").start();
        bench.answer(0, new Reply.TooLarge(BAD));
        assertThat(bench.requests).containsExactly("0 abcd", "0 ab", "0 cd");
        bench.answer(1, "++");
        bench.answer(2, "++");
        assertThat(bench.ends).hasSize(1);
    }

    @Test
    void dueResidueWaitsForHalves() {
        bench.options.batchSize(2);
        bench.latency(1000).items("abcd").replies("+r", new Reply.TooLarge(BAD)).end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 cd", "2000 c", "3000 d", "4000 b");
    }

    @Test
    void aHalvedItemHasUsedNoRedelivery() {
        bench.options.maximumRedeliveries(1);
        bench.items("ab").replies(new Reply.TooLarge(BAD), "r", "+", "+");
        Ledger ledger = bench.end().ledger();
        assertThat(bench.requests).containsExactly("0 ab", "0 a", "0 b", "1000 a");
        assertThat(ledger.landedItems()).extracting(LedgerItem::attempts).containsExactly(2, 3);
    }

    @Test
    void victimsOfANamedCulpritGoAtOnceAndUseNoRedelivery() {
        bench.options.maximumRedeliveries(0);
        bench.items("abcd").replies("vtvv");
        Ledger ledger = bench.end().ledger();
        assertThat(bench.requests).containsExactly("0 abcd", "0 acd");
        assertThat(column(ledger.landedItems())).isEqualTo("acd");
    }

    @Test
    void aDuplicateThatIsOurOwnIsACulpritToo() {
        bench.safe("ab").items("ab").replies("uu", "av").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab", "1000 b");
    }

    @Test
    void victimsWithoutACulpritAreResidue() {
        bench.items("ab").replies("vv").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab");
    }

    // ---- Keys

    @Test
    void itemsOfOneKeyNeverShareARequestAndGoInOrder() {
        bench.items("abcde").key("ace").end();
        assertThat(bench.requests).containsExactly("0 abd", "0 c", "0 e");
    }

    @Test
    void anItemIsHeldWhileAnEarlierOneOfItsKeyWaits() {
        bench.options.batchSize(3);
        bench.items("abcdef").key("bd").replies("+r+").end();
        assertThat(bench.requests).containsExactly("0 abc", "0 ef", "1000 b", "1000 d");
    }

    @Test
    void aHotKeyDoesNotHoldUpTheRest() {
        bench.options.batchSize(2);
        bench.latency(10).items("aAbcdefgh").key("aA").replies("r+", "++", "++").end();
        assertThat(bench.requests).startsWith("0 ab", "10 cd", "20 ef", "30 gh");
        assertThat(bench.requests).endsWith("1010 a", "1020 A");
    }

    @Test
    void aLoneItemThatIsRefusedAgainAndAgainDoesNotHoldUpTheRest() {
        bench.options.batchSize(6);
        bench.latency(600)
                .items("abcdefghijklmnopqrstuvwxyz")
                .replies("r+++++", "++++++", "++++++", "r", "++++++", "++", "r", "+")
                .end();
        assertThat(bench.requests)
                .startsWith("0 abcdef", "600 ghijkl", "1200 mnopqr", "1800 a", "2400 stuvwx", "3000 yz");
    }

    // ---- Parallel requests

    @Test
    void noMoreRequestsAreInFlightThanAllowed() {
        bench.options.batchSize(1).parallelRequests(3);
        bench.byHand().items("abcd").start();
        assertThat(bench.requests).containsExactly("0 a", "0 b", "0 c");
        bench.answer(1, "+");
        assertThat(bench.requests).endsWith("0 d");
        bench.answer(0, "+");
        bench.answer(2, "+");
        bench.answer(3, "+");
        assertThat(column(bench.ends.get(0).ledger().landedItems())).isEqualTo("bacd");
    }

    // ---- Limits

    @Test
    void anItemIsGivenUpWhenItsRedeliveriesAreUsedUp() {
        bench.options.maximumRedeliveries(2);
        RunEnd end = bench.items("ab").replies("+r", "r", "r").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 b", "3000 b");
        assertThat(dead(end.ledger())).containsExactly("b GIVEN_UP REDELIVERIES_EXHAUSTED");
        assertThat(end.ledger().givenUpItems().get(0).attempts()).isEqualTo(3);
        assertThat(end.failure()).isNull();
    }

    @Test
    void onlyStalledRoundsCountIfSoAsked() {
        bench.options.maximumRedeliveries(1).countOnlyStalledRounds(true);
        RunEnd end = bench.items("abcd").replies("+rrr", "+rr", "rr", "r+").end();
        // Rounds 1 and 2 landed something: the wait does not grow. Round 3 stalls and is the one that is allowed.
        assertThat(bench.requests).containsExactly("0 abcd", "1000 bcd", "2000 cd", "3000 cd", "4000 c");
        assertThat(column(end.ledger().landedItems())).isEqualTo("abdc");
    }

    @Test
    void theSecondStalledRoundIsOneTooMany() {
        bench.options.maximumRedeliveries(1).countOnlyStalledRounds(true);
        RunEnd end = bench.items("ab").replies("rr", "rr").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab");
        assertThat(end.ledger().givenUp()).isEqualTo(2);
    }

    @Test
    void anItemNeverHasMoreThanFourTimesItsRedeliveries() {
        bench.options.maximumRedeliveries(1).countOnlyStalledRounds(true).batchSize(8);
        RunEnd end = bench.items("abcdefgh")
                .replies("rrrrrrr+", "rrrrrr+", "rrrrr+", "rrrr+", "rrr+")
                .end();
        assertThat(bench.requests).hasSize(5);
        assertThat(dead(end.ledger()))
                .containsExactly(
                        "a GIVEN_UP REDELIVERIES_EXHAUSTED",
                        "b GIVEN_UP REDELIVERIES_EXHAUSTED",
                        "c GIVEN_UP REDELIVERIES_EXHAUSTED");
    }

    @Test
    void unlimitedRedeliveriesEndWithSuccess() {
        bench.options.maximumRedeliveries(-1);
        Object[] replies = new Object[50];
        Arrays.fill(replies, "r");
        Ledger ledger = bench.items("a").replies(replies).end().ledger();
        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(ledger.rounds()).isEqualTo(51);
    }

    // ---- Memory

    @Test
    void atMaxPendingResidueTheBodyIsReadNoFurther() {
        bench.options.batchSize(2).maxPendingResidue(2);
        bench.items("abcdefgh").latency(1).replies("+r", "+r").end();
        assertThat(bench.requests).containsExactly("0 ab", "1 cd", "1002 bd", "1003 ef", "1004 gh");
    }

    @Test
    void withMaxPendingResidueZeroNothingNewIsSentWhileAnyWaits() {
        bench.options.batchSize(2).maxPendingResidue(0);
        bench.items("abcdef").replies("+r", "+", "+r").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 b", "1000 cd", "2000 d", "2000 ef");
    }

    // ---- Deadline

    @Test
    void noWaitThatWouldPassTheDeadlineIsBegun() {
        bench.options.redeliveryTimeoutMillis(2500);
        RunEnd end = bench.items("ab").replies("+r", "r").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 b");
        assertThat(bench.time.now()).isEqualTo(1000);
        assertThat(dead(end.ledger())).containsExactly("b GIVEN_UP TIMEOUT");
    }

    @Test
    void whatIsInFlightAtTheDeadlineEndsUnknownAndALateReplyIsDropped() {
        bench.options.redeliveryTimeoutMillis(500).batchSize(2);
        bench.byHand().items("abcd").start();
        bench.time.run();
        Ledger ledger = bench.ends.get(0).ledger();
        assertThat(bench.ends.get(0).cutOff()).isEqualTo(Reason.TIMEOUT);
        assertThat(bench.time.now()).isEqualTo(500);
        assertThat(dead(ledger)).containsExactly("a GIVEN_UP UNKNOWN_OUTCOME", "b GIVEN_UP UNKNOWN_OUTCOME");
        assertThat(ledger.inputExhausted()).isFalse();
        assertThat(ledger.timeline()).containsExactly(new Round(1, 0, 0, 2, 0, 0, 0, 2));
        bench.answer(0, "++");
        assertThat(bench.ends).hasSize(1);
        assertThat(bench.requests).hasSize(1);
    }

    @Test
    void whatWaitsAtTheDeadlineIsGivenUp() {
        bench.options.redeliveryTimeoutMillis(1500).batchSize(1);
        bench.byHand().items("ab").start();
        bench.answer(0, "r");
        bench.time.run(); // a goes again at 1000, and nobody answers
        assertThat(bench.requests).containsExactly("0 a", "1000 a");
        assertThat(dead(bench.ends.get(0).ledger())).containsExactly("a GIVEN_UP UNKNOWN_OUTCOME");
    }
}
