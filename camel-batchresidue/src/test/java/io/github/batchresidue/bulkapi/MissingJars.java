/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** Starts routes in an application that lacks optional jars. */
public final class MissingJars {

    private MissingJars() {}

    /**
     * What the start of a route that names a bulk API fails with; empty if it does not fail.
     *
     * @param jars begin of the names of the jars that are not there, as a regular expression
     */
    public static String failureWithout(String jars, String bulkApi) throws Exception {
        return failureOfRoute(jars, "batchresidue:direct:out?bulkApi=" + bulkApi);
    }

    /**
     * What the start of a route to a URI fails with; empty if it does not fail.
     *
     * @param jars as in {@link #failureWithout}
     */
    public static String failureOfRoute(String jars, String uri) throws Exception {
        Pattern missing = Pattern.compile(jars);
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            File file = new File(entry);
            if (!missing.matcher(file.getName()).lookingAt()) {
                urls.add(file.toURI().toURL());
            }
        }
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader without =
                new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(without);
            Object start = without.loadClass(Start.class.getName())
                    .getConstructor(String.class)
                    .newInstance(uri);
            return (String) ((Callable<?>) start).call();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Runs in the class loader of that application. */
    public static final class Start implements Callable<String> {

        private final String uri;

        public Start(String uri) {
            this.uri = uri;
        }

        @Override
        public String call() throws Exception {
            CamelContext context = new DefaultCamelContext();
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("direct:in").to(uri);
                    from("direct:out").log("${body}");
                }
            });
            try {
                context.start();
                return "";
            } catch (Exception e) {
                StringWriter text = new StringWriter();
                e.printStackTrace(new PrintWriter(text));
                return text.toString();
            } finally {
                context.stop();
            }
        }
    }
}
