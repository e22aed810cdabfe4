/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Runs a main class on the tests' class path in a JVM of its own, which has little memory. */
public final class SmallHeapJvm {

    private SmallHeapJvm() {}

    /**
     * What the program prints, once it has ended with exit code 0.
     *
     * @param megabytes the largest heap
     */
    public static String run(int megabytes, Class<?> program) throws Exception {
        return run(megabytes, program, entry -> true);
    }

    /**
     * The same on a part of the class path.
     *
     * @param isThere whether an entry of it is there
     */
    public static String run(int megabytes, Class<?> program, Predicate<String> isThere) throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path printed = Files.createTempFile("small-heap", ".txt");
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx" + megabytes + "m",
                        "-XX:+ExitOnOutOfMemoryError", // Threads that died of it would leave the others waiting.
                        "-cp",
                        Arrays.stream(classPath.split(File.pathSeparator))
                                .filter(isThere)
                                .collect(Collectors.joining(File.pathSeparator)),
                        program.getName())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            boolean hasEnded = process.waitFor(5, TimeUnit.MINUTES);
            String output = Files.readString(printed);
            assertThat(hasEnded).as(output).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
            Files.delete(printed);
        }
    }
}
