/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The JMX client of the guide. */
final class WaitingNow {

    private WaitingNow() {}

    static Map<String, Long> read() throws JMException {
        // tag::jmx[]
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        Map<String, Long> waiting = new TreeMap<>();
        for (ObjectName endpoint :
                server.queryNames(new ObjectName("org.apache.camel:type=endpoints,name=\"batchresidue*\",*"), null)) {
            String delegate = (String) server.getAttribute(endpoint, "Delegate");
            waiting.merge(delegate, (Long) server.getAttribute(endpoint, "ItemsWaiting"), Long::sum);
        }
        // end::jmx[]
        return waiting;
    }
}
