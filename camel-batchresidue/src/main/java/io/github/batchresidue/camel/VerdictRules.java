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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the user's options make of a reply: error rules before the bulk API's table, the item classifier after it. */
final class VerdictRules {

    private static final Logger LOG = LoggerFactory.getLogger(VerdictRules.class);

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
        if (meaning.get() == Meaning.TERMINAL) {
            return new Reply.Terminal(failure);
        }
        return mayHaveLanded(reply)
                ? new Reply.Verdicts(Collections.nCopies(items.size(), Verdict.unknown(failure)), hintOf(reply))
                : new Reply.Throttled(failure, hintOf(reply));
    }

    /** That an error is worth another attempt does not undo what the first one may have done. */
    private static boolean mayHaveLanded(Reply reply) {
        return reply instanceof Reply.TransportFailed failed && !failed.nothingLanded()
                || reply instanceof Reply.Rejected rejected && !rejected.nothingLanded();
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
            ruled = rules.ofItem(operationOf(item), given.failure())
                    .map(meaning -> verdict(meaning, given))
                    .orElse(given);
        }
        return classifier == null ? ruled : classified(item, ruled);
    }

    /** One that cannot be had is none: what the others say of themselves must not be lost for its sake. */
    private static String operationOf(Item item) {
        try {
            return ((BulkItem) item.content()).operation();
        } catch (Throwable e) {
            LOG.warn(
                    "item {} cannot name its operation: error rules that do so are not for it",
                    item.index(),
                    Place.of(e));
            return null;
        }
    }

    /** A classifier that has no word leaves the verdict as it was: what landed must not be sent again for its sake. */
    private Verdict classified(Item item, Verdict ruled) {
        try {
            Verdict last = classifier.classify(item, ruled);
            if (last != null) {
                return last;
            }
            LOG.warn("itemClassifier gave no verdict on item {}: {} stays", item.index(), ruled.kind());
        } catch (Throwable e) {
            LOG.warn("itemClassifier failed on item {}: {} stays", item.index(), ruled.kind(), Place.of(e));
        }
        return ruled;
    }

    private static Verdict verdict(Meaning meaning, Verdict given) {
        return switch (meaning) {
            case TERMINAL -> Verdict.terminal(given.failure());
            case LANDED -> Verdict.landed();
            case RETRYABLE -> given.kind() == Verdict.Kind.UNKNOWN ? given : Verdict.residue(given.failure());
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
