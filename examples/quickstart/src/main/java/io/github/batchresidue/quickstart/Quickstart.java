/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import org.apache.camel.main.Main;

/** Starts Camel with the batchresidue component and stops it again. */
public final class Quickstart {

    private Quickstart() {}

    public static void main(String[] args) throws Exception {
        Main main = new Main(Quickstart.class);
        main.start();
        try {
            String component = main.getCamelContext()
                    .getComponent("batchresidue")
                    .getClass()
                    .getSimpleName();
            System.out.println("Camel " + main.getCamelContext().getVersion() + " is up with " + component);
        } finally {
            main.stop();
        }
    }
}
