/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The MD5 by which the service confirms the text of a message. */
final class TextChecksum {

    private static final Pattern MD5 = Pattern.compile("\\p{XDigit}{32}");

    private TextChecksum() {}

    /**
     * Whether it is that of another text.
     *
     * @param md5 in hexadecimal; null and what a stub puts in its place are of no text
     */
    static boolean isOfOther(String md5, String text) {
        if (md5 == null || !MD5.matcher(md5).matches()) {
            return false;
        }
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return !HexFormat.of().formatHex(digest).equalsIgnoreCase(md5);
        } catch (NoSuchAlgorithmException e) {
            return false; // A JVM that is told to have no MD5 cannot check.
        }
    }
}
