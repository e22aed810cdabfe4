/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.aws.RecordData;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;

class Utf8Test {

    @ParameterizedTest
    @CsvSource({"\\uD83D,0", "ab\\uD83D,2", "ab\\uDE00c,2", "\\uD83D\\uDE00\\uD83D,2", "\\uDE00\\uD83D,0"})
    void halfASurrogatePairIsRefusedAndNamed(String escaped, int at) {
        String text = unescaped(escaped);

        assertThatThrownBy(() -> Utf8.bytes(text))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("half a surrogate pair at character " + at + ",");
    }

    /** The text is refused, or else its bytes say the same. */
    @Test
    void noTextIsChanged() throws Exception {
        Random random = new Random(1);
        char[] kinds = {'a', '?', 'é', '€', '\uD83D', '\uDE00'};
        int refused = 0;
        for (int round = 0; round < 5000; round++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                text.append(kinds[random.nextInt(kinds.length)]);
            }
            boolean canBeSaid = StandardCharsets.UTF_8.newEncoder().canEncode(text);
            try {
                assertThat(Utf8.bytes(text.toString()))
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo(text.toString());
                assertThat(canBeSaid).isTrue();
            } catch (InvalidItemException e) {
                assertThat(canBeSaid).isFalse();
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void recordsOfAwsAreNotChangedEither() {
        RecordData data = new RecordData(new ObjectMapper(), PutRecordsRequestEntry.class);

        assertThatThrownBy(() -> data.of("ab\uD83D"))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("half a surrogate pair");
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                plain.append((char) Integer.parseInt(text.substring(i + 2, i + 6), 16));
                i += 5;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }
}
