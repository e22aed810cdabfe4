/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.ErrorRules;
import io.github.batchresidue.bulkapi.ErrorRules.Meaning;
import io.github.batchresidue.bulkapi.ItemClassifier;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the user's options make of a reply: error rules before the bulk API's table, the item classifier after it. */
final class VerdictRules {

    private final ErrorRules rules;
    private final ItemClassifier classifier;

    VerdictRules(ErrorRules rules, ItemClassifier classifier) {
        this.rules = rules;
        this.classifier = classifier;
    }

    Reply apply(List<Item> items, Reply reply) {
        if (reply instanceof Reply.Verdicts verdicts) {
            return verdicts.verdicts().size() == items.size() ? applyToItems(items, verdicts) : reply;
        }
        Failure failure = failureOf(reply);
        Optional<Meaning> meaning = failure == null ? Optional.empty() : rules.ofRequest(failure);
        if (meaning.isEmpty()) {
            return reply;
        }
        return meaning.get() == Meaning.TERMINAL
                ? new Reply.Terminal(failure)
                : new Reply.Throttled(failure, hintOf(reply));
    }

    private Reply applyToItems(List<Item> items, Reply.Verdicts reply) {
        List<Verdict> verdicts = null;
        for (int i = 0; i < items.size(); i++) {
            Verdict given = reply.verdicts().get(i);
            Verdict ruled = rule(items.get(i), given);
            if (ruled != given) {
                if (verdicts == null) {
                    verdicts = new ArrayList<>(reply.verdicts());
                }
                verdicts.set(i, ruled);
            }
        }
        return verdicts == null ? reply : new Reply.Verdicts(verdicts, reply.hintMillis());
    }

    private Verdict rule(Item item, Verdict given) {
        Verdict ruled = given;
        if (given.failure() != null) {
            String operation = ((BulkItem) item.content()).operation();
            ruled = rules.ofItem(operation, given.failure())
                    .map(meaning -> verdict(meaning, given.failure()))
                    .orElse(given);
        }
        return classifier == null ? ruled : classifier.classify(item, ruled);
    }

    private static Verdict verdict(Meaning meaning, Failure failure) {
        return switch (meaning) {
            case TERMINAL -> Verdict.terminal(failure);
            case LANDED -> Verdict.landed();
            case RETRYABLE -> Verdict.residue(failure);
        };
    }

    private static Failure failureOf(Reply reply) {
        if (reply instanceof Reply.Throttled r) {
            return r.failure();
        } else if (reply instanceof Reply.TooLarge r) {
            return r.failure();
        } else if (reply instanceof Reply.Rejected r) {
            return r.failure();
        } else if (reply instanceof Reply.Refused r) {
            return r.failure();
        } else if (reply instanceof Reply.TransportFailed r) {
            return r.failure();
        }
        return null;
    }

    private static long hintOf(Reply reply) {
        if (reply instanceof Reply.Throttled r) {
            return r.hintMillis();
        }
        return reply instanceof Reply.TransportFailed r ? r.hintMillis() : 0;
    }
}
