/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.SafeCopyProperty;

/**
 * The tasks that may block until a run ends: it was begun in them, or with an exchange that was handed out in them, or a
 * copy of it. Immutable.
 */
record Waiters(List<Shift> shifts) implements SafeCopyProperty {

    static final Waiters NONE = new Waiters(List.of());

    private static final String PROPERTY = "CamelBatchResidueWaiters";

    /** Those who may be waiting for what becomes of the exchange. */
    static Waiters of(Exchange exchange) {
        Waiters known = exchange.getExchangeExtension().getSafeCopyProperty(PROPERTY, Waiters.class);
        Shift here = Shift.here();
        if (here == null) {
            return known == null ? NONE : known;
        }
        Set<Shift> all = new LinkedHashSet<>(here.waiters().shifts);
        if (known != null) {
            all.addAll(known.shifts);
        }
        all.add(here);
        all.removeIf(Shift::isOver);
        return new Waiters(List.copyOf(all));
    }

    /** To be called when the exchange is handed out, which may go on on threads of others. */
    static void accompany(Exchange exchange) {
        if (Shift.here() != null) {
            exchange.getExchangeExtension().setSafeCopyProperty(PROPERTY, of(exchange));
        }
    }

    boolean isAnyLeft() {
        for (Shift shift : shifts) {
            if (!shift.isOver()) {
                return true;
            }
        }
        return false;
    }

    /** The copy of an exchange is waited for as the exchange is. */
    @Override
    public SafeCopyProperty safeCopy() {
        return this;
    }
}
