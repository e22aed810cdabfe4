/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.spi.Metadata;

/** Names of headers and properties. */
public interface BatchResidueConstants {

    @Metadata(description = "How many items were read from the body.", javaType = "long")
    String ITEM_COUNT = "CamelBatchResidueItemCount";

    @Metadata(description = "How many items landed.", javaType = "long")
    String LANDED_COUNT = "CamelBatchResidueLandedCount";

    @Metadata(description = "How many items were refused for good.", javaType = "long")
    String TERMINAL_COUNT = "CamelBatchResidueTerminalCount";

    @Metadata(description = "How many items were given up.", javaType = "long")
    String GIVEN_UP_COUNT = "CamelBatchResidueGivenUpCount";

    @Metadata(description = "How many items have not ended because the exchange failed first.", javaType = "long")
    String PENDING_COUNT = "CamelBatchResiduePendingCount";

    @Metadata(description = "The most attempts of any item.", javaType = "int")
    String ROUNDS = "CamelBatchResidueRounds";

    @Metadata(description = "How many requests were sent.", javaType = "long")
    String REQUESTS = "CamelBatchResidueRequests";

    @Metadata(description = "Whether any item was given up.", javaType = "boolean")
    String GAVE_UP = "CamelBatchResidueGaveUp";

    @Metadata(
            description = "How long, in milliseconds, nothing was in flight between the first and the last request.",
            javaType = "long")
    String WAITED_MILLIS = "CamelBatchResidueWaitedMillis";

    @Metadata(description = "Dead letter: in which column it stands.", javaType = "String", enums = "TERMINAL,GIVEN_UP")
    String OUTCOME = "CamelBatchResidueOutcome";

    @Metadata(
            description = "Dead letter: why it did not land.",
            javaType = "String",
            enums = "REJECTED,TOO_LARGE,REDELIVERIES_EXHAUSTED,TIMEOUT,SHUTDOWN,UNKNOWN_OUTCOME")
    String REASON = "CamelBatchResidueReason";

    @Metadata(description = "Dead letter: the service's error code, if there is one.", javaType = "String")
    String ERROR_CODE = "CamelBatchResidueErrorCode";

    @Metadata(
            description = "Dead letter: the status of the item or of the whole reply, if there is one.",
            javaType = "int")
    String ERROR_STATUS = "CamelBatchResidueErrorStatus";

    @Metadata(description = "Dead letter: the service's message, if there is one.", javaType = "String")
    String ERROR_MESSAGE = "CamelBatchResidueErrorMessage";

    @Metadata(description = "Dead letter: how often the item was sent.", javaType = "int")
    String ATTEMPTS = "CamelBatchResidueAttempts";

    @Metadata(description = "Dead letter: the item's position in the body, from 0.", javaType = "long")
    String ITEM_INDEX = "CamelBatchResidueItemIndex";

    @Metadata(description = "Dead letter: what the service calls the item, if it has a name.", javaType = "String")
    String ITEM_ID = "CamelBatchResidueItemId";

    @Metadata(description = "Dead letter: the delegate, without its options.", javaType = "String")
    String DELEGATE = "CamelBatchResidueDelegate";

    @Metadata(description = "Dead letter: id of the exchange that brought the item.", javaType = "String")
    String ORIGIN_EXCHANGE_ID = "CamelBatchResidueOriginExchangeId";

    /** Exchange property: the {@link io.github.batchresidue.engine.Ledger} of the last call. */
    String LEDGER = "CamelBatchResidueLedger";
}
