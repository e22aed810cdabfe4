/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.bulkapi.http.Connections;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.Crc32MismatchException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Sorts what the SDK throws when a request fails as a whole. The exception may sit anywhere among the causes.
 *
 * <table>
 * <caption>What an exception means</caption>
 * <tr><td>a throttling code, status 429</td><td>{@link Reply.Throttled}</td></tr>
 * <tr><td>status 413</td><td>{@link Reply.TooLarge}</td></tr>
 * <tr><td>what the {@link ServiceErrors} of the service say</td><td>that</td></tr>
 * <tr><td>status 5xx or 408, {@code RequestTimeout}</td><td>{@link Reply.TransportFailed}, may have landed</td></tr>
 * <tr><td>every other status: credentials, permission, a missing resource</td><td>{@link Reply.Refused}</td></tr>
 * <tr><td>an answer the SDK cannot read, or with a wrong checksum</td><td>unknown for every item</td></tr>
 * <tr><td>no credentials to sign with</td><td>{@link Reply.Refused}</td></tr>
 * <tr><td>no connection (refused, unknown host, none free in the pool)</td><td>{@link Reply.TransportFailed}, nothing
 * landed</td></tr>
 * <tr><td>anything else</td><td>{@link Reply.TransportFailed}, may have landed</td></tr>
 * </table>
 *
 * <p>Where the client has made several attempts on its own only the last is known, so that it is not certain that
 * nothing landed.
 */
public final class AwsFailures {

    /** The errors of one service that mean something to its bulk API. */
    @FunctionalInterface
    public interface ServiceErrors {

        /**
         * What an error of the service means for the request.
         *
         * @param failure status, code without its prefix, and message
         * @param nothingLanded whether it is certain that nothing landed if the error says so
         * @param hintMillis the wait asked for
         * @return null if it means what it means everywhere
         */
        Reply reply(Failure failure, boolean nothingLanded, long hintMillis);
    }

    /** Codes that the official SDKs treat as throttling (botocore's standard retry mode). */
    private static final Set<String> THROTTLING = Set.of(
            "Throttling",
            "ThrottlingException",
            "ThrottledException",
            "RequestThrottledException",
            "TooManyRequestsException",
            "ProvisionedThroughputExceededException",
            "TransactionInProgressException",
            "RequestLimitExceeded",
            "BandwidthLimitExceeded",
            "LimitExceededException",
            "RequestThrottled",
            "SlowDown",
            "PriorRequestNotComplete",
            "EC2ThrottledException",
            // Not in that list: of the key service behind a queue, topic or stream
            "KmsThrottled",
            "KMSThrottling",
            "KMSThrottlingException",
            "KMS.ThrottlingException");

    /** What the older query protocol puts before a code. */
    private static final Pattern QUERY_NAMESPACE = Pattern.compile("AWS\\.\\w+\\.");

    private static final Set<String> TIMEOUTS = Set.of("RequestTimeout", "RequestTimeoutException");

    private AwsFailures() {}

    /** A code without what the older query protocol puts before it; null if there is none. */
    static String plainCode(String code) {
        return code == null ? null : QUERY_NAMESPACE.matcher(code).replaceFirst("");
    }

    /**
     * What a failure means for its request.
     *
     * @param thrown what the exchange failed with
     * @param items how many items the request carried
     * @param service what is particular to the service
     */
    public static Reply reply(Throwable thrown, int items, ServiceErrors service) {
        List<Throwable> causes = causes(thrown);
        boolean onlyAttempt = causes.stream().allMatch(AwsFailures::isOnlyAttempt);
        for (Throwable cause : causes) {
            if (cause instanceof AwsServiceException answer) {
                return ofAnswer(thrown, answer, onlyAttempt, service);
            }
        }
        Failure failure = new Failure(0, null, message(causes));
        if (causes.stream().anyMatch(AwsFailures::isUnreadableAnswer)) {
            // The SDK reads the body of a success only.
            return Reply.unreadable(items, new Failure(200, null, failure.message()));
        }
        if (causes.stream().anyMatch(AwsFailures::isWithoutCredentials)) {
            return new Reply.Refused(thrown, failure);
        }
        boolean unsent = onlyAttempt && Connections.isNeverSent(thrown);
        return new Reply.TransportFailed(thrown, failure, unsent, 0);
    }

    private static Reply ofAnswer(
            Throwable thrown, AwsServiceException answer, boolean onlyAttempt, ServiceErrors service) {
        AwsErrorDetails details = answer.awsErrorDetails();
        String code = details == null ? null : plainCode(details.errorCode());
        int status = answer.statusCode();
        Failure failure = new Failure(
                status,
                code,
                details == null || details.errorMessage() == null ? answer.getMessage() : details.errorMessage());
        long hint = details == null || details.sdkHttpResponse() == null
                ? 0
                : RetryHints.millis(details.sdkHttpResponse(), Clock.systemUTC());
        if (status == 429 || code != null && THROTTLING.contains(code)) {
            return new Reply.Throttled(failure, hint);
        }
        if (status == 413) {
            return new Reply.TooLarge(failure);
        }
        Reply own = service.reply(failure, onlyAttempt, hint);
        if (own != null) {
            return own;
        }
        return status >= 500 || status == 408 || code != null && TIMEOUTS.contains(code)
                ? new Reply.TransportFailed(thrown, failure, false, hint)
                : new Reply.Refused(thrown, failure);
    }

    private static boolean isOnlyAttempt(Throwable cause) {
        return !(cause instanceof SdkException sdk) || sdk.numAttempts() == null || sdk.numAttempts() <= 1;
    }

    /** The SDK has no class of its own for this; the text is that of its response handler for every protocol. */
    private static boolean isUnreadableAnswer(Throwable cause) {
        return cause instanceof Crc32MismatchException
                || cause instanceof SdkClientException
                        && cause.getMessage() != null
                        && cause.getMessage().startsWith("Unable to unmarshall response");
    }

    /** Neither has it a class for this; an attempt that was made is counted, so none was. */
    private static boolean isWithoutCredentials(Throwable cause) {
        return cause.getClass() == SdkClientException.class
                && ((SdkClientException) cause).numAttempts() == null
                && cause.getMessage() != null
                && cause.getMessage().contains("credentials");
    }

    /** The SDK's own words if it said any. */
    private static String message(List<Throwable> causes) {
        return causes.stream()
                .filter(SdkException.class::isInstance)
                .findFirst()
                .orElse(causes.get(0))
                .getMessage();
    }

    private static List<Throwable> causes(Throwable thrown) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = thrown; cause != null && !causes.contains(cause); cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
