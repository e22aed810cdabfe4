/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static io.github.batchresidue.engine.Bench.BAD;
import static io.github.batchresidue.engine.Bench.BUSY;
import static io.github.batchresidue.engine.Bench.column;
import static io.github.batchresidue.engine.Bench.dead;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchresidue.engine.RunOptions.UnknownOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each kind of reply means for the items of its request. */
class RepliesTest {

    private final Bench bench = new Bench();
    private final Exception reset = new Exception("reset");

    // ---- Verdicts

    @Test
    void anItemThatLandedOrIsTerminalIsInNoLaterRequest() {
        RunEnd end = bench.items("abc").replies("+tr").end();
        assertThat(bench.requests).containsExactly("0 abc", "1000 c");
        assertThat(dead(end.ledger())).containsExactly("b TERMINAL REJECTED");
        assertThat(end.ledger().terminalItems().get(0).failure()).isEqualTo(BAD);
    }

    @Test
    void anItemTheServiceFindsTooLargeIsTerminalWithThatReason() {
        assertThat(dead(bench.items("ab").replies("L+").end().ledger())).containsExactly("a TERMINAL TOO_LARGE");
    }

    @Test
    void aDuplicateIsOursAfterAnUnknownAttempt() {
        Ledger ledger = bench.safe("a").items("a").replies("u", "a").end().ledger();
        assertThat(ledger.landed()).isEqualTo(1);
    }

    @Test
    void aDuplicateIsOursAlsoWhenTheUnknownAttemptIsLongAgo() {
        Ledger ledger =
                bench.safe("a").items("a").replies("u", "r", "r", "a").end().ledger();
        assertThat(ledger.landed()).isEqualTo(1);
    }

    @Test
    void aDuplicateWithoutAnUnknownAttemptIsSomebodyElses() {
        Ledger ledger = bench.safe("a").items("a").replies("r", "a").end().ledger();
        assertThat(dead(ledger)).containsExactly("a TERMINAL REJECTED");
    }

    @Test
    void anUnknownItemIsSentAgainOnlyIfThatIsSafe() {
        RunEnd end = bench.safe("a").items("ab").replies("uu").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 a");
        assertThat(dead(end.ledger())).containsExactly("b GIVEN_UP UNKNOWN_OUTCOME");
    }

    @Test
    void sendingAgainCanBeForced() {
        bench.options.unknownOutcome(UnknownOutcome.RETRY);
        assertThat(bench.items("a").replies("u").end().ledger().landed()).isEqualTo(1);
    }

    @Test
    void givingUpCanBeForced() {
        bench.options.unknownOutcome(UnknownOutcome.GIVE_UP);
        assertThat(dead(bench.safe("a").items("a").replies("u").end().ledger()))
                .containsExactly("a GIVEN_UP UNKNOWN_OUTCOME");
    }

    @Test
    void anItemGivenUpAfterAnyUnknownAttemptHasThatReason() {
        bench.options.maximumRedeliveries(2);
        Ledger ledger =
                bench.safe("ab").items("ab").replies("ur", "rr", "rr").end().ledger();
        assertThat(dead(ledger)).containsExactly("a GIVEN_UP UNKNOWN_OUTCOME", "b GIVEN_UP REDELIVERIES_EXHAUSTED");
    }

    /** A deduplication id is good for a while: from then on not even what was refused since may go again. */
    @Test
    void whatIsNoLongerSafeWhenItsWaitIsOverIsNotSentAgain() {
        RunEnd end = bench.safeUntil("a", 2500)
                .safe("b")
                .items("abc")
                .key("ac")
                .replies("uu", "rr")
                .end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab", "3000 b", "3000 c");
        assertThat(dead(end.ledger())).containsExactly("a GIVEN_UP UNKNOWN_OUTCOME");
        assertThat(end.ledger().landed()).isEqualTo(2);
    }

    // ---- Replies that are full

    @Test
    void whatAFullReplyLeftOutGoesAtOnceAndUsesNoRedelivery() {
        bench.options.maximumRedeliveries(0);
        RunEnd end =
                bench.items("abcdef").replies("++nnnn", "+nnn", "+nn", "+n").end();
        assertThat(bench.requests).containsExactly("0 abcdef", "0 cdef", "0 def", "0 ef", "0 f");
        assertThat(end.ledger().landed()).isEqualTo(6);
        assertThat(end.ledger().waitedMillis()).isZero();
        assertThat(end.ledger().rounds()).isEqualTo(5);
    }

    @Test
    void aReplyThatLeftOutEverythingIsNotFull() {
        bench.options.maximumRedeliveries(2);
        RunEnd end = bench.items("ab").replies("nn", "nn", "+n", "n").end();
        assertThat(bench.requests).containsExactly("0 ab", "1000 ab", "3000 ab", "3000 b");
        assertThat(end.ledger().landed()).isEqualTo(1);
        assertThat(dead(end.ledger())).containsExactly("b GIVEN_UP REDELIVERIES_EXHAUSTED");
    }

    // ---- Distrust

    @Test
    void aReplyWithAnotherNumberOfResultsMakesEveryItemUnknown() {
        RunEnd end = bench.safe("ab").items("abc").replies("++").end();
        assertThat(bench.requests).containsExactly("0 abc", "1000 ab");
        assertThat(dead(end.ledger())).containsExactly("c GIVEN_UP UNKNOWN_OUTCOME");
        assertThat(end.ledger().givenUpItems().get(0).failure().message())
                .isEqualTo("the reply has 2 results for 3 items");
    }

    @Test
    void aSecondReplyIsIgnored() {
        bench.byHand().items("a").start();
        bench.answer(0, "r");
        bench.answer(0, "+");
        assertThat(bench.ends).isEmpty();
        bench.time.run();
        bench.answer(0, "+");
        assertThat(bench.ends).isEmpty();
        bench.answer(1, "+");
        assertThat(bench.ends.get(0).ledger().requests()).isEqualTo(2);
    }

    @Test
    void noReplyAtAllIsATransportFailure() {
        bench.transport = (items, reply) -> reply.accept(null);
        RunEnd end = bench.items("a").end();
        assertThat(end.failure()).hasMessage("the reply is null");
        assertThat(end.ledger().pendingItems()).singleElement().returns(true, LedgerItem::maybeLanded);
    }

    @Test
    void aReplyWithoutAVerdictForAnItemCannotBeMade() {
        assertThatThrownBy(() -> new Reply.Verdicts(Arrays.asList(Verdict.landed(), null), 0))
                .isInstanceOf(NullPointerException.class);
    }

    // ---- Failures of the whole request

    @Test
    void allItemsOfAThrottledRequestAreResidueOfThatRound() {
        Ledger ledger =
                bench.items("ab").replies(new Reply.Throttled(BUSY, 3000)).end().ledger();
        assertThat(bench.requests).containsExactly("0 ab", "3000 ab");
        assertThat(ledger.timeline()).startsWith(new Round(1, 0, 0, 2, 0, 0, 2, 0));
    }

    @Test
    void aRequestTooLargeIsHalvedAndALoneItemTooLargeIsTerminal() {
        Reply tooLarge = new Reply.TooLarge(BAD);
        Ledger ledger =
                bench.items("abc").replies(tooLarge, "++", tooLarge).end().ledger();
        assertThat(bench.requests).containsExactly("0 abc", "0 ab", "0 c");
        assertThat(dead(ledger)).containsExactly("c TERMINAL TOO_LARGE");
    }

    @Test
    void aTerminalRequestMakesAllItsItemsTerminal() {
        Ledger ledger = bench.items("ab").replies(new Reply.Terminal(BAD)).end().ledger();
        assertThat(dead(ledger)).containsExactly("a TERMINAL REJECTED", "b TERMINAL REJECTED");
    }

    @Test
    void withoutIsolationARejectedRequestIsTerminal() {
        bench.options.isolateRejected(false);
        Ledger ledger =
                bench.items("ab").replies(new Reply.Rejected(BAD, true)).end().ledger();
        assertThat(bench.requests).hasSize(1);
        assertThat(dead(ledger)).containsExactly("a TERMINAL REJECTED", "b TERMINAL REJECTED");
    }

    @Test
    void aRejectedRequestOfWhichSomethingMayHaveLandedIsHalvedIfEveryItemIsSafe() {
        Reply rejected = new Reply.Rejected(BAD, false);
        Ledger ledger = bench.safe("ab")
                .items("ab")
                .replies(rejected, "a", rejected)
                .end()
                .ledger();
        assertThat(bench.requests).containsExactly("0 ab", "0 a", "0 b");
        // The refused attempt counts as unknown, so the duplicate is our own.
        assertThat(column(ledger.landedItems())).isEqualTo("a");
        assertThat(dead(ledger)).containsExactly("b TERMINAL REJECTED");
    }

    @Test
    void elseEachOfItsItemsIsUnknown() {
        Ledger ledger = bench.safe("a")
                .items("ab")
                .replies(new Reply.Rejected(BAD, false))
                .end()
                .ledger();
        assertThat(bench.requests).containsExactly("0 ab", "1000 a");
        assertThat(dead(ledger)).containsExactly("b GIVEN_UP UNKNOWN_OUTCOME");
    }

    @Test
    void aRefusedRequestFailsTheRunAndNothingIsUnknown() {
        bench.options.batchSize(2);
        RunEnd end = bench.items("abc")
                .replies(new Reply.Refused(new Exception("no such table"), BAD))
                .end();
        assertThat(bench.requests).containsExactly("0 ab");
        assertThat(end.failure()).hasMessage("no such table");
        assertThat(column(end.ledger().pendingItems())).isEqualTo("ab");
        assertThat(end.ledger().pendingItems())
                .extracting(LedgerItem::maybeLanded)
                .containsOnly(false);
        assertThat(end.ledger().inputExhausted()).isFalse();
    }

    @Test
    void aTransportFailureFailsTheRunWithItsOwnCauseAndMarksItemsUnknown() {
        RunEnd end = bench.items("ab")
                .replies(new Reply.TransportFailed(reset, BUSY, false, 0))
                .end();
        assertThat(end.failure()).isSameAs(reset);
        assertThat(column(end.ledger().pendingItems())).isEqualTo("ab");
        assertThat(end.ledger().pendingItems())
                .extracting(LedgerItem::maybeLanded)
                .containsOnly(true);
        assertThat(end.ledger().pendingItems()).extracting(LedgerItem::attempts).containsOnly(1);
        assertThat(bench.time.timersLeft()).isZero();
    }

    @Test
    void aRefusedConnectionMarksNothingUnknown() {
        RunEnd end = bench.items("a")
                .replies(new Reply.TransportFailed(reset, BUSY, true, 0))
                .end();
        assertThat(end.ledger().pendingItems())
                .extracting(LedgerItem::maybeLanded)
                .containsOnly(false);
    }

    @Test
    void whatTheTransportThrowsIsATransportFailure() {
        IllegalStateException thrown = new IllegalStateException("broken");
        assertThat(bench.items("a").replies(thrown).end().failure()).isSameAs(thrown);
    }

    @Test
    void aTransportFailureThatIsRetriedIsARoundInWhichAllIsUnknown() {
        bench.options.retryTransportFailures(true);
        RunEnd end = bench.safe("a")
                .items("ab")
                .replies(new Reply.TransportFailed(reset, BUSY, false, 0))
                .end();
        assertThat(end.failure()).isNull();
        assertThat(bench.requests).containsExactly("0 ab", "1000 a");
        assertThat(dead(end.ledger())).containsExactly("b GIVEN_UP UNKNOWN_OUTCOME");
    }

    @Test
    void orResidueWhereItIsCertainThatNothingLanded() {
        bench.options.retryTransportFailures(true);
        RunEnd end = bench.items("ab")
                .replies(new Reply.TransportFailed(reset, BUSY, true, 2000))
                .end();
        assertThat(bench.requests).containsExactly("0 ab", "2000 ab");
        assertThat(end.ledger().landed()).isEqualTo(2);
    }

    @Test
    void afterAFailureOtherRepliesStillCountAndNothingIsSent() {
        bench.options.batchSize(1).parallelRequests(2);
        bench.byHand().items("abc").start();
        bench.answer(0, new Reply.TransportFailed(reset, BUSY, false, 0));
        assertThat(bench.ends).isEmpty();
        bench.answer(1, "+");
        RunEnd end = bench.ends.get(0);
        assertThat(bench.requests).containsExactly("0 a", "0 b");
        assertThat(column(end.ledger().landedItems())).isEqualTo("b");
        assertThat(column(end.ledger().pendingItems())).isEqualTo("a");
    }

    // ---- Exceptions of those who are asked

    @Test
    void aBackOffThatThrowsFailsTheRunAndLosesNothing() {
        bench.options.backOff((redelivery, previous, draw) -> {
            throw new IllegalStateException("no idea");
        });
        RunEnd end = bench.items("abc").replies("r+r").end();
        assertThat(end.failure()).hasMessage("no idea");
        assertThat(column(end.ledger().landedItems())).isEqualTo("b");
        assertThat(column(end.ledger().pendingItems())).isEqualTo("ac");
    }

    @Test
    void aContentThatCannotSayWhetherItIsSafeFailsTheRunAndLosesNothing() {
        Source source = bench.items("ab");
        bench.source = new Source() {
            @Override
            public Content next() throws Exception {
                Content content = source.next();
                return content == null ? null : new Unsure(content);
            }

            @Override
            public boolean exhausted() {
                return source.exhausted();
            }
        };
        RunEnd end = bench.replies(new Reply.Rejected(BAD, false)).end();
        assertThat(end.failure()).hasMessage("cannot say");
        assertThat(column(end.ledger().pendingItems())).isEqualTo("ab");
        assertThat(end.ledger().pendingItems())
                .extracting(LedgerItem::maybeLanded)
                .containsOnly(true);
    }

    private record Unsure(Content content) implements Content {
        @Override
        public Object body() {
            return content.body();
        }

        @Override
        public long bytes() {
            return content.bytes();
        }

        @Override
        public boolean safeToResend() {
            throw new IllegalStateException("cannot say");
        }
    }

    @Test
    void aSchedulerThatIsShutDownFailsTheRunAndLosesNothing() {
        Scheduler dead = new Scheduler() {
            @Override
            public long now() {
                return 0;
            }

            @Override
            public Cancellable schedule(Runnable task, long delayMillis) {
                throw new IllegalStateException("shut down");
            }
        };
        Bench items = bench.items("ab").replies("+r");
        new Run(
                        bench.options.build(),
                        new Run.Collaborators(items, items, DeadLetters.NONE, dead, () -> 0, Observer.NONE),
                        RunState.NEW,
                        bench.ends::add)
                .start();
        RunEnd end = bench.ends.get(0);
        assertThat(end.failure()).hasMessage("shut down");
        assertThat(column(end.ledger().landedItems())).isEqualTo("a");
        assertThat(column(end.ledger().pendingItems())).isEqualTo("b");
    }

    @Test
    void anObserverThatThrowsChangesNothing() {
        bench.observer = new Observer() {
            @Override
            public void ended(LedgerItem item) {
                throw new IllegalStateException("not my day");
            }
        };
        assertThat(bench.items("ab").replies("r+").end().ledger().landed()).isEqualTo(2);
    }

    @Test
    void landedItemsAreToldOnlyToWhomWantsToSeeThem() {
        List<LedgerItem> all = new ArrayList<>();
        List<LedgerItem> others = new ArrayList<>();
        bench.observer = new Observer() {
            @Override
            public void ended(LedgerItem item) {
                all.add(item);
            }
        };
        bench.items("abc").replies("+t+").end();
        Bench other = new Bench();
        other.observer = new Observer() {
            @Override
            public void ended(LedgerItem item) {
                others.add(item);
            }

            @Override
            public boolean seesLanded() {
                return false;
            }
        };
        other.items("abc").replies("+t+").end();

        assertThat(column(all)).isEqualTo("abc");
        assertThat(column(others)).isEqualTo("b");
    }
}
