/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.ItemClassifier;
import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import io.github.batchresidue.engine.RunOptions.UnknownOutcome;
import java.util.Map;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;

/** The options of an endpoint, and as defaults those of the component. Null where an option was not given. */
@UriParams
public class BatchResidueConfiguration implements Cloneable {

    /** What a transport failure does. */
    public enum OnTransportFailure {
        /** It fails the exchange. */
        FAIL,
        /** It is a round like any other. */
        RETRY
    }

    /** The message body after the call. */
    public enum ResultBody {
        /** The ledger. */
        LEDGER,
        /** The body as it came. */
        ORIGINAL
    }

    @UriParam(label = "producer")
    private Object bulkApi;

    @UriParam(label = "producer", prefix = "bulkApi.", multiValue = true)
    private Map<String, Object> bulkApiOptions;

    @UriParam(label = "producer")
    private Integer batchSize;

    @UriParam(label = "producer")
    private Long batchBytes;

    @UriParam(label = "producer", defaultValue = "1")
    private int parallelRequests = 1;

    @UriParam(label = "producer,advanced")
    private Integer maxPendingResidue;

    @UriParam(label = "producer", defaultValue = "10")
    private Integer maximumRedeliveries;

    @UriParam(label = "producer")
    private boolean countOnlyStalledRounds = false;

    @UriParam(label = "producer", defaultValue = "1000", javaType = "java.time.Duration")
    private Long redeliveryDelay;

    @UriParam(label = "producer", defaultValue = "2.0")
    private Double backOffMultiplier;

    @UriParam(label = "producer", defaultValue = "60000", javaType = "java.time.Duration")
    private Long maximumRedeliveryDelay;

    @UriParam(label = "producer", defaultValue = "EQUAL")
    private Jitter jitter;

    @UriParam(label = "producer,advanced")
    private RedeliveryPolicy redeliveryPolicy;

    @UriParam(label = "producer", defaultValue = "0", javaType = "java.time.Duration")
    private long redeliveryTimeout = 0;

    @UriParam(label = "producer")
    private String retryableErrors;

    @UriParam(label = "producer")
    private String terminalErrors;

    @UriParam(label = "producer")
    private String landedErrors;

    @UriParam(label = "producer,advanced")
    private ItemClassifier itemClassifier;

    @UriParam(label = "producer", defaultValue = "FAIL")
    private OnTransportFailure onTransportFailure = OnTransportFailure.FAIL;

    @UriParam(label = "producer", defaultValue = "AUTO")
    private UnknownOutcome onUnknownOutcome = UnknownOutcome.AUTO;

    @UriParam(label = "producer,advanced")
    private Object itemKey;

    @UriParam(label = "producer", defaultValue = "true")
    private boolean isolateRejected = true;

    @UriParam(label = "producer")
    private String terminalUri;

    @UriParam(label = "producer")
    private String givenUpUri;

    @UriParam(label = "producer")
    private String deadLetterUri;

    @UriParam(label = "producer")
    private boolean deadLetterGrouped = false;

    @UriParam(label = "producer", defaultValue = "true")
    private boolean throwExceptionOnUndelivered = true;

    @UriParam(label = "producer,advanced")
    private String delegateHeaders;

    @UriParam(label = "producer", defaultValue = "LEDGER")
    private ResultBody result = ResultBody.LEDGER;

    @UriParam(label = "producer,advanced", defaultValue = "auto", enums = "auto,true,false")
    private String retainLanded = "auto";

    /** An independent copy. */
    public BatchResidueConfiguration copy() {
        try {
            return (BatchResidueConfiguration) clone();
        } catch (CloneNotSupportedException e) {
            throw new RuntimeCamelException(e);
        }
    }

    public Object getBulkApi() {
        return bulkApi;
    }

    /**
     * Which bulk API the delegate speaks: a name such as dynamodb, or a reference (#bean) to an
     * io.github.batchresidue.bulkapi.BulkApi. Derived from the delegate if not given.
     */
    public void setBulkApi(Object bulkApi) {
        this.bulkApi = bulkApi;
    }

    public Map<String, Object> getBulkApiOptions() {
        return bulkApiOptions;
    }

    /** Options of the bulk API, each with the prefix bulkApi. */
    public void setBulkApiOptions(Map<String, Object> bulkApiOptions) {
        this.bulkApiOptions = bulkApiOptions;
    }

    public Integer getBatchSize() {
        return batchSize;
    }

    /** The most items in a request. The default is the limit of the bulk API, or 1000 if it has none. */
    public void setBatchSize(Integer batchSize) {
        this.batchSize = batchSize;
    }

    public Long getBatchBytes() {
        return batchBytes;
    }

    /**
     * The most bytes in a request, counted as the bulk API counts them. The default is the limit of the bulk API.
     */
    public void setBatchBytes(Long batchBytes) {
        this.batchBytes = batchBytes;
    }

    public int getParallelRequests() {
        return parallelRequests;
    }

    /** How many requests one exchange may have in flight at once. */
    public void setParallelRequests(int parallelRequests) {
        this.parallelRequests = parallelRequests;
    }

    public Integer getMaxPendingResidue() {
        return maxPendingResidue;
    }

    /**
     * The most items of one exchange that may wait (for another attempt, for an earlier item of the same key, for a
     * dead letter to be taken); at this many the body is read no further. With 0 no fresh item is sent while any
     * waits. The default is 10 times batchSize, at least 1000.
     */
    public void setMaxPendingResidue(Integer maxPendingResidue) {
        this.maxPendingResidue = maxPendingResidue;
    }

    public Integer getMaximumRedeliveries() {
        return maximumRedeliveries;
    }

    /** How often an item is sent again before it is given up. 0 for never, -1 for no limit. */
    public void setMaximumRedeliveries(Integer maximumRedeliveries) {
        this.maximumRedeliveries = maximumRedeliveries;
    }

    public boolean isCountOnlyStalledRounds() {
        return countOnlyStalledRounds;
    }

    /**
     * Whether only rounds in which nothing landed count towards maximumRedeliveries and let the wait grow; an item
     * is still never sent again more than 4 times maximumRedeliveries. The choice for targets with a fixed capacity.
     */
    public void setCountOnlyStalledRounds(boolean countOnlyStalledRounds) {
        this.countOnlyStalledRounds = countOnlyStalledRounds;
    }

    public Long getRedeliveryDelay() {
        return redeliveryDelay;
    }

    /** How long an item waits before it is sent again for the first time. */
    public void setRedeliveryDelay(Long redeliveryDelay) {
        this.redeliveryDelay = redeliveryDelay;
    }

    public Double getBackOffMultiplier() {
        return backOffMultiplier;
    }

    /** By what the wait grows from one redelivery to the next. */
    public void setBackOffMultiplier(Double backOffMultiplier) {
        this.backOffMultiplier = backOffMultiplier;
    }

    public Long getMaximumRedeliveryDelay() {
        return maximumRedeliveryDelay;
    }

    /** The longest wait that the component computes. A wait that the server asks for may exceed it. */
    public void setMaximumRedeliveryDelay(Long maximumRedeliveryDelay) {
        this.maximumRedeliveryDelay = maximumRedeliveryDelay;
    }

    public Jitter getJitter() {
        return jitter;
    }

    /**
     * How waits are spread so that many senders do not come back at one moment: NONE, EQUAL (half fixed, half
     * random) or FULL (all random).
     */
    public void setJitter(Jitter jitter) {
        this.jitter = jitter;
    }

    public RedeliveryPolicy getRedeliveryPolicy() {
        return redeliveryPolicy;
    }

    /**
     * A Camel redelivery policy to take in place of maximumRedeliveries, redeliveryDelay, backOffMultiplier,
     * maximumRedeliveryDelay and jitter.
     */
    public void setRedeliveryPolicy(RedeliveryPolicy redeliveryPolicy) {
        this.redeliveryPolicy = redeliveryPolicy;
    }

    public long getRedeliveryTimeout() {
        return redeliveryTimeout;
    }

    /**
     * The deadline of one exchange, from its first request. No wait that would pass it is begun and no request
     * starts after it. 0 for none.
     */
    public void setRedeliveryTimeout(long redeliveryTimeout) {
        this.redeliveryTimeout = redeliveryTimeout;
    }

    public String getRetryableErrors() {
        return retryableErrors;
    }

    /**
     * Errors that are worth another attempt: a comma list of statuses (429, 5xx) and error codes, in which an asterisk
     * stands for any text, each on request for one operation (create:409). Precedes the table of the bulk API; where
     * several options fit, terminalErrors precedes landedErrors, and landedErrors this one. An item that may have
     * landed stays unknown whatever its error: see onUnknownOutcome.
     */
    public void setRetryableErrors(String retryableErrors) {
        this.retryableErrors = retryableErrors;
    }

    public String getTerminalErrors() {
        return terminalErrors;
    }

    /** Errors that are final, written as for retryableErrors. Precedes the table of the bulk API. */
    public void setTerminalErrors(String terminalErrors) {
        this.terminalErrors = terminalErrors;
    }

    public String getLandedErrors() {
        return landedErrors;
    }

    /** Errors of items that count as landed, written as for retryableErrors. Precedes the table of the bulk API. */
    public void setLandedErrors(String landedErrors) {
        this.landedErrors = landedErrors;
    }

    public ItemClassifier getItemClassifier() {
        return itemClassifier;
    }

    /** Has the last word on the verdict on each item. If it throws, or gives null, the verdict stays. */
    public void setItemClassifier(ItemClassifier itemClassifier) {
        this.itemClassifier = itemClassifier;
    }

    public OnTransportFailure getOnTransportFailure() {
        return onTransportFailure;
    }

    /**
     * What a transport failure does: FAIL fails the exchange, and what has not ended is pending in the ledger; RETRY makes it a round in
     * which every item is unknown.
     */
    public void setOnTransportFailure(OnTransportFailure onTransportFailure) {
        this.onTransportFailure = onTransportFailure;
    }

    public UnknownOutcome getOnUnknownOutcome() {
        return onUnknownOutcome;
    }

    /**
     * What happens to an item that may or may not have landed: AUTO sends it again where that is safe and gives it
     * up otherwise; RETRY sends it again, GIVE_UP does not.
     */
    public void setOnUnknownOutcome(UnknownOutcome onUnknownOutcome) {
        this.onUnknownOutcome = onUnknownOutcome;
    }

    public Object getItemKey() {
        return itemKey;
    }

    /**
     * What makes two items the same record: names or JSON pointers, comma separated, a reference (#bean) to a
     * java.util.function.Function of the item, or none. Items of one key are sent one after the other. The default
     * is what the bulk API knows.
     */
    public void setItemKey(Object itemKey) {
        this.itemKey = itemKey;
    }

    public boolean isIsolateRejected() {
        return isolateRejected;
    }

    /**
     * Whether a request that is refused for its content is halved until the culprit stands alone. Otherwise all its
     * items are terminal.
     */
    public void setIsolateRejected(boolean isolateRejected) {
        this.isolateRejected = isolateRejected;
    }

    public String getTerminalUri() {
        return terminalUri;
    }

    /** The endpoint that takes items which were refused for good. */
    public void setTerminalUri(String terminalUri) {
        this.terminalUri = terminalUri;
    }

    public String getGivenUpUri() {
        return givenUpUri;
    }

    /** The endpoint that takes items which are not sent again. */
    public void setGivenUpUri(String givenUpUri) {
        this.givenUpUri = givenUpUri;
    }

    public String getDeadLetterUri() {
        return deadLetterUri;
    }

    /** The endpoint that takes terminal and given-up items which have no endpoint of their own. */
    public void setDeadLetterUri(String deadLetterUri) {
        this.deadLetterUri = deadLetterUri;
    }

    public boolean isDeadLetterGrouped() {
        return deadLetterGrouped;
    }

    /**
     * Whether a dead-letter endpoint gets one exchange with the list of items at the end, instead of one for each
     * item.
     */
    public void setDeadLetterGrouped(boolean deadLetterGrouped) {
        this.deadLetterGrouped = deadLetterGrouped;
    }

    public boolean isThrowExceptionOnUndelivered() {
        return throwExceptionOnUndelivered;
    }

    /** Whether the exchange fails at the end if a terminal or given-up item had no endpoint to go to. */
    public void setThrowExceptionOnUndelivered(boolean throwExceptionOnUndelivered) {
        this.throwExceptionOnUndelivered = throwExceptionOnUndelivered;
    }

    public String getDelegateHeaders() {
        return delegateHeaders;
    }

    /**
     * Names, comma separated, of those of the caller's headers that may reach the delegate although they begin with
     * Camel, Content- or Transfer-. Without it none of these does; other headers always do.
     */
    public void setDelegateHeaders(String delegateHeaders) {
        this.delegateHeaders = delegateHeaders;
    }

    public ResultBody getResult() {
        return result;
    }

    /** The message body after the call: LEDGER, or ORIGINAL for the body as it came. */
    public void setResult(ResultBody result) {
        this.result = result;
    }

    public String getRetainLanded() {
        return retainLanded;
    }

    /**
     * Whether landed items are listed in the ledger. auto lists them for bodies in memory and only counts them for
     * streams.
     */
    public void setRetainLanded(String retainLanded) {
        this.retainLanded = retainLanded;
    }
}
