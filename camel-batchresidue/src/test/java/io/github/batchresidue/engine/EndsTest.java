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

import io.github.batchresidue.engine.LedgerItem.Delivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How a run ends other than by itself, what it hands out then, and how it goes on. */
class EndsTest {

    private final Bench bench = new Bench();
    private final Reply reset = new Reply.TransportFailed(new Exception("reset"), BUSY, false, 0);
    private final Reply unreachable = new Reply.TransportFailed(new Exception("unreachable"), BUSY, true, 0);

    // ---- Stop

    @Test
    void atAStopWaitingItemsAreGivenUpAndThoseInFlightAreUnknown() {
        bench.options.batchSize(2).parallelRequests(2);
        bench.byHand().items("abcdef").start();
        bench.answer(0, "+r");
        bench.time.runUntil(500);
        bench.run.stop();
        Ledger ledger = bench.ends.get(0).ledger();
        assertThat(dead(ledger))
                .containsExactly(
                        "b GIVEN_UP SHUTDOWN",
                        "c GIVEN_UP UNKNOWN_OUTCOME",
                        "d GIVEN_UP UNKNOWN_OUTCOME",
                        "e GIVEN_UP UNKNOWN_OUTCOME",
                        "f GIVEN_UP UNKNOWN_OUTCOME");
        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(bench.time.timersLeft()).isZero();
        bench.answer(1, "++");
        bench.run.stop();
        assertThat(bench.ends).hasSize(1);
    }

    @Test
    void aStopLeavesUnreadInputAndSaysSo() {
        bench.options.batchSize(1);
        bench.byHand().items("ab").start();
        bench.run.stop();
        assertThat(bench.ends.get(0).ledger()).returns(1L, Ledger::items).returns(false, Ledger::inputExhausted);
    }

    @Test
    void heldItemsAreGivenUpToo() {
        bench.byHand().items("abc").key("abc").start();
        bench.run.stop();
        assertThat(column(bench.ends.get(0).ledger().givenUpItems())).isEqualTo("abc");
    }

    @Test
    void aStopStillDeliversDeadLetters() {
        bench.deadLetters = bench;
        bench.byHand().items("a").start();
        bench.run.stop();
        assertThat(bench.letters).containsExactly("0 a GIVEN_UP UNKNOWN_OUTCOME");
        assertThat(bench.ends.get(0).ledger().undelivered()).isZero();
    }

    @Test
    void aStopAtOnceDoesNotWaitForDeadLetters() {
        List<Consumer<Throwable>> answers = new ArrayList<>();
        bench.deadLetters = new Letters((item, done) -> answers.add(done));
        bench.byHand().items("ab").start();
        bench.answer(0, "tt");
        assertThat(bench.ends).isEmpty();
        bench.run.stop();
        assertThat(bench.ends).isEmpty();
        bench.run.stopNow();
        Ledger ledger = bench.ends.get(0).ledger();
        assertThat(ledger.terminalItems()).extracting(LedgerItem::delivery).containsOnly(Delivery.FAILED);
        answers.get(0).accept(null);
        assertThat(answers).hasSize(1);
        assertThat(bench.ends).hasSize(1);
    }

    @Test
    void aRunStoppedBeforeItStartsEndsOnceAndLosesNothing() {
        RunState state = bench.items("ab").replies(unreachable).end().state();
        bench.ends.clear();
        Run second = new Run(
                bench.options.build(),
                new Run.Collaborators(bench, bench, bench, bench.time, () -> 0, Observer.NONE),
                state,
                bench.ends::add);
        second.stop();
        second.start();
        assertThat(bench.ends).hasSize(1);
        assertThat(bench.ends.get(0).ledger().givenUp()).isEqualTo(2);
        assertThat(bench.letters).containsExactly("0 a GIVEN_UP SHUTDOWN", "0 b GIVEN_UP SHUTDOWN");
    }

    @Test
    @Timeout(20)
    void aStopDoesNotWaitForATransportThatBlocksInAnotherThread() throws Exception {
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        bench.transport = (items, reply) -> {
            sending.countDown();
            await(release);
            reply.accept(Reply.allLanded(items.size()));
        };
        Thread thread = new Thread(bench.items("ab")::start);
        thread.start();
        await(sending);
        bench.run.stop();
        assertThat(dead(bench.ends.get(0).ledger()))
                .containsExactly("a GIVEN_UP UNKNOWN_OUTCOME", "b GIVEN_UP UNKNOWN_OUTCOME");
        release.countDown();
        thread.join();
        assertThat(bench.ends).hasSize(1);
    }

    @Test
    @Timeout(20)
    void aStopDoesNotWaitForASourceThatBlocksInAnotherThread() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Source items = bench.items("abc");
        bench.source = new Source() {
            @Override
            public Content next() throws Exception {
                Content content = items.next();
                if (content.body().equals('c')) {
                    reading.countDown();
                    await(release);
                }
                return content;
            }

            @Override
            public boolean exhausted() {
                throw new IllegalStateException("the source is used by two threads");
            }
        };
        Thread thread = new Thread(bench::start);
        thread.start();
        await(reading);
        bench.run.stop();
        RunEnd end = bench.ends.get(0);
        assertThat(dead(end.ledger())).containsExactly("a GIVEN_UP SHUTDOWN", "b GIVEN_UP SHUTDOWN");
        assertThat(end.ledger().inputExhausted()).isFalse();
        assertThat(end.inputFailure())
                .hasMessage("the run was cut off while item 2 was being read: the body cannot be read any further");
        release.countDown();
        thread.join();
        assertThat(bench.ends).hasSize(1);
        assertThat(bench.requests).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody came");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- Between planning a request and sending it

    @Test
    void aPlannedRequestDoesNotStartAfterAFailure() {
        Ledger ledger = whileAHalfIsPlanned(() -> bench.answer(0, unreachable));
        assertThat(column(ledger.pendingItems())).isEqualTo("abcd");
        assertThat(ledger.pendingItems()).extracting(LedgerItem::attempts).containsOnly(1);
    }

    @Test
    void aPlannedRequestDoesNotStartAfterAStop() {
        Ledger ledger = whileAHalfIsPlanned(() -> bench.run.stop());
        assertThat(dead(ledger))
                .containsExactly(
                        "a GIVEN_UP UNKNOWN_OUTCOME",
                        "b GIVEN_UP UNKNOWN_OUTCOME",
                        "c GIVEN_UP SHUTDOWN",
                        "d GIVEN_UP SHUTDOWN");
    }

    /** An observer is called when the next request has been planned already. */
    private Ledger whileAHalfIsPlanned(Runnable what) {
        bench.observer = new Observer() {
            @Override
            public void settled(List<Item> items, Round round, Failure failure, long nextWaitMillis) {
                if (items.get(0).index() == 2) {
                    what.run();
                }
            }
        };
        bench.options.batchSize(2).parallelRequests(2);
        bench.byHand().items("abcd").start();
        bench.answer(1, new Reply.TooLarge(BAD));
        assertThat(bench.requests).containsExactly("0 ab", "0 cd");
        assertThat(bench.ends.get(0).ledger().requests()).isEqualTo(2);
        return bench.ends.get(0).ledger();
    }

    // ---- The source

    @Test
    void aSourceThatFailsEndsWhatWasReadAndFailsTheRun() {
        Exception broken = new Exception("broken");
        bench.source = failingAt('d', broken);
        bench.options.batchSize(2);
        RunEnd end = bench.items("abcdef").replies("+r").end();
        assertThat(bench.requests).containsExactly("0 ab", "0 c", "1000 b");
        assertThat(end.inputFailure()).isSameAs(broken);
        assertThat(end.failure()).isNull();
        assertThat(end.ledger()).returns(3L, Ledger::landed).returns(false, Ledger::inputExhausted);
    }

    static List<Throwable> noExceptions() {
        return List.of(new StackOverflowError(), new Throwable("neither an error nor an exception"));
    }

    @ParameterizedTest
    @MethodSource("noExceptions")
    void anErrorOfTheSourceFailsTheRunAndWhatWasReadIsPending(Throwable thrown) {
        bench.source = failingAt('c', thrown);
        RunEnd end = bench.items("abc").end();
        assertThat(end.failure()).isSameAs(thrown);
        assertThat(column(end.ledger().pendingItems())).isEqualTo("ab");
    }

    @Test
    void aSizeThatIsNoneFailsTheRunAndLosesNoItem() {
        bench.source = ofSizes(1, -1, 1);
        RunEnd end = bench.end();
        assertThat(bench.requests).isEmpty();
        assertThat(end.failure())
                .hasMessageContaining("item 1")
                .hasRootCauseMessage("its size is said to be -1 bytes: expected 0 or more");
        assertThat(end.ledger().pendingItems()).extracting(LedgerItem::index).containsExactly(0L, 1L);
        assertThat(end.ledger().inputExhausted()).isFalse();
    }

    @Test
    void itemsOfAnySizeAreSentIfThereIsNoLimit() {
        bench.source = ofSizes(Long.MAX_VALUE, 1, Long.MAX_VALUE / 2, Long.MAX_VALUE, 0);
        bench.options.batchSize(4);
        assertThat(bench.end().ledger().landed()).isEqualTo(5);
        assertThat(bench.requests).hasSize(2);
    }

    private static Source ofSizes(long... sizes) {
        return new Source() {

            private int read;

            @Override
            public Content next() {
                return read == sizes.length ? null : new TestContent(read, sizes[read++], null, true, null);
            }

            @Override
            public boolean exhausted() {
                return read == sizes.length;
            }
        };
    }

    /** As languages do that know no checked exceptions. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E undeclared(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private Source failingAt(char name, Throwable thrown) {
        return new Source() {
            @Override
            public Content next() throws Exception {
                Content content = bench.next();
                if (content != null && content.body().equals(name)) {
                    throw EndsTest.<Exception>undeclared(thrown);
                }
                return content;
            }

            @Override
            public boolean exhausted() {
                return false;
            }
        };
    }

    @Test
    void aFailureAfterTheLastItemLeavesNoInputUnread() {
        assertThat(bench.items("ab").replies(reset).end().ledger().inputExhausted())
                .isTrue();
    }

    // ---- Dead letters

    @Test
    void deadLettersGoOneAtATimeAndReadingWaitsForThem() {
        List<Consumer<Throwable>> answers = new ArrayList<>();
        bench.options.batchSize(2).maxPendingResidue(1);
        bench.deadLetters = new Letters((item, done) -> answers.add(done));
        bench.items("abcd").replies("tt").start();
        assertThat(answers).hasSize(1);
        assertThat(bench.requests).containsExactly("0 ab");
        answers.get(0).accept(null);
        assertThat(answers).hasSize(2);
        assertThat(bench.requests).containsExactly("0 ab");
        answers.get(1).accept(null);
        assertThat(bench.requests).containsExactly("0 ab", "0 cd");
        assertThat(bench.ends.get(0).ledger().undelivered()).isZero();
    }

    @Test
    void aDeadLetterThatFailsKeepsItsColumnAndTheOthersGo() {
        Exception full = new Exception("full");
        List<String> letters = new ArrayList<>();
        bench.deadLetters = new Letters((item, done) -> {
            letters.add(Bench.describe(item));
            done.accept(item.index() == 0 ? full : null);
            done.accept(item.index() == 0 ? null : full); // a second answer counts for nothing
        });
        RunEnd end = bench.items("ab").replies("tt").end();
        assertThat(letters).containsExactly("a TERMINAL REJECTED", "b TERMINAL REJECTED");
        assertThat(end.deadLetterFailure()).isSameAs(full);
        assertThat(end.ledger().terminalItems())
                .extracting(LedgerItem::delivery)
                .containsExactly(Delivery.FAILED, Delivery.DELIVERED);
    }

    @Test
    void deliveredItemsLeaveMemoryIfNotRetained() {
        bench.options.retainEnded(false);
        bench.deadLetters = bench;
        Ledger ledger = bench.items("abc").replies("+t+").end().ledger();
        assertThat(ledger.landedItems()).isEmpty();
        assertThat(ledger.terminalItems()).isEmpty();
        assertThat(ledger).returns(2L, Ledger::landed).returns(1L, Ledger::terminal);
    }

    @Test
    void groupedDeadLettersGoTogetherAtTheEndOneDeliveryForEachOutcome() {
        bench.options.groupDeadLetters(true).maximumRedeliveries(0);
        bench.deadLetters = bench;
        Ledger ledger = bench.items("abcde").replies("t+rtr").end().ledger();
        assertThat(bench.letters)
                .containsExactly(
                        "0 a TERMINAL REJECTED, d TERMINAL REJECTED",
                        "0 c GIVEN_UP REDELIVERIES_EXHAUSTED, e GIVEN_UP REDELIVERIES_EXHAUSTED");
        assertThat(ledger.undelivered()).isZero();
    }

    private record Letters(Delivering how) implements DeadLetters {
        interface Delivering {
            void deliver(LedgerItem item, Consumer<Throwable> done);
        }

        @Override
        public boolean takes(Outcome outcome) {
            return true;
        }

        @Override
        public void deliver(List<LedgerItem> letters, Consumer<Throwable> done) {
            LedgerItem item = letters.get(0);
            how.deliver(item, done);
        }
    }

    // ---- Resume

    @Test
    void aResumedRunSendsOnlyWhatIsPendingAndReadsOn() {
        bench.options.batchSize(3);
        bench.items("abcde").replies("+tr", unreachable).end();
        Ledger ledger = bench.resume().ledger();
        assertThat(bench.requests).containsExactly("0 abc", "1000 c", "1000 c", "1000 de");
        assertThat(ledger)
                .returns(5L, Ledger::items)
                .returns(4L, Ledger::landed)
                .returns(1L, Ledger::terminal)
                .returns(4L, Ledger::requests)
                .returns(3, Ledger::rounds)
                .returns(true, Ledger::inputExhausted);
        assertThat(column(ledger.landedItems())).isEqualTo("acde");
        assertThat(ledger.timeline()).hasSize(4);
    }

    @Test
    void aWaitGoesOnWhereItWas() {
        bench.options.batchSize(1).parallelRequests(2);
        bench.byHand().items("ab").start();
        bench.answer(0, "r");
        bench.answer(1, unreachable);
        bench.time.runUntil(400);
        RunState state = bench.ends.remove(0).state();
        bench.start(state);
        bench.time.runUntil(1000);
        assertThat(bench.requests).containsExactly("0 a", "0 b", "400 b", "1000 a");
    }

    @Test
    void unknownItemsFirstGoThroughOnUnknownOutcome() {
        bench.safe("a").items("ab").replies(reset).end();
        Ledger ledger = bench.resume().ledger();
        assertThat(bench.requests).containsExactly("0 ab", "0 a");
        assertThat(dead(ledger)).containsExactly("b GIVEN_UP UNKNOWN_OUTCOME");
        assertThat(ledger.givenUpItems().get(0).attempts()).isEqualTo(1);
    }

    @Test
    void theUnknownMarkIsCarriedOn() {
        bench.safe("a").items("a").replies(reset, "a").end();
        assertThat(bench.resume().ledger().landed()).isEqualTo(1);
    }

    @Test
    void givenUpItemsThatNobodyTookHaveAFreshBudget() {
        bench.options.maximumRedeliveries(1);
        bench.items("ab").replies("+r", "r", "r").end();
        assertThat(dead(bench.ends.get(0).ledger())).containsExactly("b GIVEN_UP REDELIVERIES_EXHAUSTED");
        Ledger ledger = bench.resume().ledger();
        assertThat(bench.requests).containsExactly("0 ab", "1000 b", "1000 b", "2000 b");
        assertThat(ledger).returns(2L, Ledger::landed).returns(0L, Ledger::givenUp);
        assertThat(ledger.rounds()).isEqualTo(4);
    }

    @Test
    void terminalItemsAreNeverSentAgainAndDeliveredLettersNotRepeated() {
        bench.deadLetters = bench;
        bench.options.maximumRedeliveries(0).batchSize(2);
        bench.items("abc").replies("tr", unreachable).end();
        Ledger ledger = bench.resume().ledger();
        assertThat(bench.requests).containsExactly("0 ab", "0 c", "0 c");
        assertThat(bench.letters).containsExactly("0 a TERMINAL REJECTED", "0 b GIVEN_UP REDELIVERIES_EXHAUSTED");
        assertThat(ledger).returns(1L, Ledger::terminal).returns(1L, Ledger::givenUp);
    }

    @Test
    void deadLettersThatFailedAreRepeated() {
        List<String> letters = new ArrayList<>();
        bench.deadLetters = new Letters((item, done) -> {
            letters.add(Bench.describe(item));
            done.accept(letters.size() == 1 ? new Exception("full") : null);
        });
        bench.items("ab").replies("t+").end();
        Ledger ledger = bench.resume().ledger();
        assertThat(letters).containsExactly("a TERMINAL REJECTED", "a TERMINAL REJECTED");
        assertThat(ledger.undelivered()).isZero();
        assertThat(bench.requests).hasSize(1);
    }

    @Test
    void theDeadlineIsCarriedOn() {
        bench.options.redeliveryTimeoutMillis(3000);
        bench.items("a").replies(unreachable, "r", "r").end();
        bench.time.runUntil(1000);
        Ledger ledger = bench.resume().ledger();
        assertThat(bench.requests).containsExactly("0 a", "1000 a", "2000 a");
        assertThat(dead(ledger)).containsExactly("a GIVEN_UP TIMEOUT");
    }

    @Test
    void keysAreKeptAcrossAResume() {
        bench.options.batchSize(2);
        bench.items("abcd").key("ac").replies("r+", unreachable).end();
        bench.resume();
        assertThat(bench.requests).containsExactly("0 ab", "0 d", "0 d", "1000 a", "1000 c");
    }

    @Test
    void smallerLimitsHoldForWhatIsResumed() {
        RunState state = bench.items("abc").replies(unreachable).end().state();
        bench.ends.clear();
        bench.options.batchSize(2).parallelRequests(1).maxPendingResidue(0);
        bench.start(state);
        assertThat(bench.requests).containsExactly("0 abc", "0 ab", "0 c");
        assertThat(bench.ends.get(0).ledger().landed()).isEqualTo(3);
    }

    @Test
    void aBodyThatCouldNotBeReadIsNotReadOn() {
        bench.source = failingAt('b', new Exception("broken"));
        bench.items("abc").end();
        RunEnd end = bench.resume();
        assertThat(end.inputFailure()).hasMessage("broken");
        assertThat(bench.requests).containsExactly("0 a");
        assertThat(end.ledger().items()).isEqualTo(1);
    }

    @Test
    void aFailedRunCanBeResumedAgainAndAgain() {
        bench.items("ab").replies(unreachable, "r+", unreachable, new Reply.Refused(new Exception("gone"), BAD));
        bench.end();
        bench.resume();
        bench.resume();
        Ledger ledger = bench.resume().ledger();
        assertThat(bench.requests).containsExactly("0 ab", "0 ab", "1000 a", "1000 a", "1000 a");
        assertThat(ledger).returns(2L, Ledger::landed).returns(5, Ledger::rounds);
    }

    @Test
    void theDeadlineOfARunThatHasFailedLeavesItsItemsPending() {
        bench.options.batchSize(2).parallelRequests(2).redeliveryTimeoutMillis(500);
        bench.byHand().items("abcdef").start();
        bench.open.get(0).accept(unreachable); // The other request hangs.

        Ledger ledger = bench.end().ledger();

        assertThat(bench.ends.get(0).failure()).isNotNull();
        assertThat(bench.time.now()).isEqualTo(500);
        assertThat(ledger.givenUp()).isZero();
        assertThat(ledger.pendingItems()).extracting(LedgerItem::maybeLanded).containsExactly(false, false, true, true);
        assertThat(ledger.pendingItems()).extracting(LedgerItem::attempts).containsOnly(1);
        assertThat(ledger.requests()).isEqualTo(2);
        bench.open.get(1).accept(Reply.allLanded(2));
        assertThat(bench.ends).as("a late reply is dropped").hasSize(1);
    }

    @Test
    void aDeadLetterThatChangesTheKeyOfItsItemLosesNobodyWhoWasHeldForIt() {
        List<String> key = new ArrayList<>(List.of("k"));
        bench.source = new Source() {
            private final Deque<Character> names = new ArrayDeque<>(List.of('a', 'b', 'c', 'd'));

            @Override
            public Content next() {
                return names.isEmpty()
                        ? null
                        : new Bench.Letter(names.remove(), key, () -> false, null, bench.detached, bench.discarded);
            }

            @Override
            public boolean exhausted() {
                return names.isEmpty();
            }
        };
        bench.deadLetters = new DeadLetters() {
            @Override
            public boolean takes(Outcome outcome) {
                return true;
            }

            @Override
            public void deliver(List<LedgerItem> items, Consumer<Throwable> done) {
                key.add("changed");
                done.accept(null);
            }
        };
        bench.latency(10).replies("t", "t", "+", "t");

        Ledger ledger = bench.end().ledger();

        assertThat(bench.requests).containsExactly("0 a", "10 b", "20 c", "30 d");
        assertThat(ledger).returns(3L, Ledger::terminal).returns(1L, Ledger::landed);
    }

    /** Has requests wait for a thread. */
    private List<Transport.Answer> letRequestsWait() {
        List<Transport.Answer> waiting = new ArrayList<>();
        bench.transport = (items, reply) -> {
            reply.letWait();
            waiting.add(reply);
        };
        return waiting;
    }

    @Test
    void aRequestThatWaitsForAThreadIsTakenBackWhenTheRunIsCutOff() {
        List<Transport.Answer> waiting = letRequestsWait();
        bench.options.batchSize(1).parallelRequests(2);
        bench.items("ab").start();
        assertThat(waiting).hasSize(2);

        bench.run.stop();

        assertThat(waiting).noneMatch(Transport.Answer::begin);
        assertThatNothingWasSent(Reason.SHUTDOWN);
    }

    @Test
    void aRequestThatWaitsForAThreadIsTakenBackAtTheDeadline() {
        List<Transport.Answer> waiting = letRequestsWait();
        bench.options.redeliveryTimeoutMillis(500);
        bench.items("ab").end();

        assertThat(waiting).hasSize(1).noneMatch(Transport.Answer::begin);
        assertThatNothingWasSent(Reason.TIMEOUT);
    }

    private void assertThatNothingWasSent(Reason reason) {
        Ledger ledger = bench.ends.get(0).ledger();
        assertThat(ledger.givenUpItems())
                .hasSize(2)
                .allMatch(item -> item.reason() == reason && item.attempts() == 0 && !item.maybeLanded());
        assertThat(ledger.requests()).isZero();
        assertThat(ledger.timeline()).isEmpty();
    }

    @Test
    void aRequestThatWaitsForAThreadIsTakenBackWhenAnotherFails() {
        List<Transport.Answer> waiting = letRequestsWait();
        bench.options.batchSize(1).parallelRequests(2);
        bench.items("ab").start();
        assertThat(waiting.get(0).begin()).isTrue();

        waiting.get(0).accept(unreachable);

        assertThat(waiting.get(1).begin()).isFalse();
        assertThat(bench.ends.get(0).ledger().pendingItems())
                .extracting(LedgerItem::attempts)
                .containsExactly(1, 0);
        assertThat(bench.ends.get(0).ledger().requests()).isEqualTo(1);
    }

    @Test
    void aRequestThatWaitedAndBeganIsOut() {
        List<Transport.Answer> waiting = letRequestsWait();
        bench.items("ab").start();
        assertThat(waiting.get(0).begin()).isTrue();
        assertThat(waiting.get(0).begin()).as("it begins once").isFalse();

        bench.run.stop();

        assertThat(bench.ends.get(0).ledger().givenUpItems())
                .hasSize(2)
                .allMatch(item -> item.reason() == Reason.UNKNOWN_OUTCOME && item.attempts() == 1);
        assertThat(bench.ends.get(0).ledger().requests()).isEqualTo(1);
    }

    // ---- Contents that throw

    private enum Fault {
        KEY,
        BYTES,
        HASH,
        REFUSAL,
        DETACH
    }

    /** Five items, of which the second throws where it is asked. */
    private static final class FaultyItems implements Source {

        private final Fault fault;
        private int read;

        FaultyItems(Fault fault) {
            this.fault = fault;
        }

        @Override
        public Content next() {
            int index = read++;
            return index == 5 ? null : new Faulty(index, index == 1 ? fault : null);
        }

        @Override
        public boolean exhausted() {
            return read >= 5;
        }
    }

    private record Faulty(int index, Fault fault) implements Content {

        private void fail(Fault here) {
            if (fault == here) {
                throw new IllegalStateException(here.name());
            }
        }

        @Override
        public Object body() {
            return index;
        }

        @Override
        public Object key() {
            fail(Fault.KEY);
            Faulty content = this;
            return new Object() {
                @Override
                public int hashCode() {
                    content.fail(Fault.HASH);
                    return super.hashCode();
                }
            };
        }

        @Override
        public long bytes() {
            fail(Fault.BYTES);
            return 1;
        }

        @Override
        public Refusal refusal() {
            fail(Fault.REFUSAL);
            return null;
        }

        @Override
        public void detach() {
            fail(Fault.DETACH);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "DETACH", mode = EnumSource.Mode.EXCLUDE)
    void aContentThatThrowsFailsTheRunAndLosesNoItem(Fault fault) {
        bench.source = new FaultyItems(fault);
        RunEnd end = bench.end();
        Ledger ledger = end.ledger();
        assertThat(end.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(bench.requests).isEmpty();
        assertThat(ledger.pendingItems()).extracting(LedgerItem::index).startsWith(0L, 1L);
        assertThat(ledger.pending()).isEqualTo(ledger.items());
        boolean isRestUnread = ledger.items() < 5;
        assertThat(ledger.inputExhausted()).isEqualTo(!isRestUnread);

        RunEnd again = bench.resume();
        assertThat(again.ledger().pending()).isEqualTo(again.ledger().items());
        assertThat(again.ledger().pendingItems()).extracting(LedgerItem::index).startsWith(0L, 1L);
    }

    @Test
    void aContentThatCannotLetGoIsCountedOnce() {
        bench.source = new FaultyItems(Fault.DETACH);
        Ledger ledger = bench.replies("+t+++").end().ledger();
        assertThat(ledger)
                .returns(5L, Ledger::items)
                .returns(4L, Ledger::landed)
                .returns(1L, Ledger::terminal);
        assertThat(ledger.terminalItems()).hasSize(1);
        assertThat(ledger.pending()).isZero();
    }
}
