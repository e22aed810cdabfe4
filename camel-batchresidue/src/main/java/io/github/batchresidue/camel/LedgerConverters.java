/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.engine.Ledger;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.camel.Converter;
import org.apache.camel.Exchange;
import org.apache.camel.support.CamelContextHelper;

/** What Camel makes of a ledger when asked for another type: its JSON. */
@Converter(generateLoader = true)
public final class LedgerConverters {

    private LedgerConverters() {}

    @Converter
    public static String toText(Ledger ledger, Exchange exchange) throws IOException {
        StringWriter text = new StringWriter();
        json(exchange).write(ledger, text);
        return text.toString();
    }

    @Converter
    public static byte[] toBytes(Ledger ledger, Exchange exchange) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // Jackson's own encoder would fail at half a surrogate pair, and such an item is likely to stand in a ledger.
        json(exchange).write(ledger, new OutputStreamWriter(bytes, StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    @Converter
    public static InputStream toInputStream(Ledger ledger, Exchange exchange) throws IOException {
        return new ByteArrayInputStream(toBytes(ledger, exchange));
    }

    @Converter
    public static Map<String, Object> toMap(Ledger ledger, Exchange exchange) throws IOException {
        return json(exchange).toMap(ledger);
    }

    /** With the mapper that camel-jackson would take: the one in the registry if it is the only one. */
    private static LedgerJson json(Exchange exchange) {
        ObjectMapper registered = exchange == null
                ? null
                : CamelContextHelper.findSingleByType(exchange.getContext(), ObjectMapper.class);
        return new LedgerJson(registered == null ? new ObjectMapper() : registered);
    }
}
