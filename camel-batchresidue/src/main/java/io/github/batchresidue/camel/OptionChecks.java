/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.ItemClassifier;
import io.github.batchresidue.camel.BatchResidueConfiguration.OnTransportFailure;
import io.github.batchresidue.camel.BatchResidueConfiguration.ResultBody;
import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import io.github.batchresidue.engine.RunOptions.UnknownOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.apache.camel.util.StringHelper;

/** Refuses option values that make no sense, before anything is sent. */
final class OptionChecks {

    private static final Pattern INTEGER = Pattern.compile("-?\\d+");
    private static final Pattern DURATION =
            Pattern.compile("(?i)-?\\d+|(?=\\d)(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?(\\d+ms)?|PT?\\d[\\dDHMST.]*");

    /** What a question mark too many makes of a value: it holds the options behind it, secrets of the delegate included. */
    private static final Pattern SWALLOWED_OPTIONS = Pattern.compile("\\?.*=", Pattern.DOTALL);

    /** Options that may be such a text. */
    private static final Set<String> FREE_TEXTS = Set.of("terminalUri", "givenUpUri", "deadLetterUri", "itemKey");

    /** Options whose texts are checked, by the name that Camel binds whatever its case. */
    private static final Map<String, Kind> KINDS = kinds();

    /** Options that take a bean. */
    private static final Map<String, Bean> BEANS = beans();

    /** @param isText whether the option also takes a text that is no reference */
    private record Bean(String option, Class<?> type, boolean isText) {}

    /** What the text of an option may be. */
    private record Kind(String expected, Predicate<String> isGood) {

        static final Kind INT = new Kind("a whole number", text -> isNumber(text, Integer::parseInt));
        static final Kind LONG = new Kind("a whole number", text -> isNumber(text, Long::parseLong));
        static final Kind NUMBER = new Kind("a number such as 2 or 1.5", text -> isNumber(text, Double::parseDouble));
        static final Kind DURATION = new Kind(
                "milliseconds or a duration such as 500ms, 1s or 1m30s",
                text -> INTEGER.matcher(text).matches()
                        ? LONG.isGood.test(text)
                        : OptionChecks.DURATION.matcher(text).matches());
        static final Kind BOOLEAN = new Kind("true or false", text -> text.matches("(?i)true|false"));

        /** Words in every way of writing that Camel takes: GIVE_UP, give_up, give-up, giveUp. */
        static Kind word(Class<? extends Enum<?>> words) {
            List<String> names =
                    Stream.of(words.getEnumConstants()).map(Enum::name).toList();
            return new Kind("one of " + String.join(", ", names), text -> names.stream()
                    .anyMatch(name -> name.equalsIgnoreCase(text)
                            || name.equalsIgnoreCase(StringHelper.asEnumConstantValue(text))));
        }

        private static boolean isNumber(String text, Function<String, Number> parse) {
            try {
                parse.apply(text);
                return true;
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }

    private OptionChecks() {}

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        put(kinds, Kind.INT, "batchSize", "parallelRequests", "maxPendingResidue", "maximumRedeliveries", "workers");
        put(kinds, Kind.LONG, "batchBytes");
        put(kinds, Kind.NUMBER, "backOffMultiplier");
        put(kinds, Kind.DURATION, "redeliveryDelay", "maximumRedeliveryDelay", "redeliveryTimeout");
        put(kinds, Kind.BOOLEAN, "countOnlyStalledRounds", "isolateRejected", "deadLetterGrouped");
        put(kinds, Kind.BOOLEAN, "throwExceptionOnUndelivered");
        put(kinds, Kind.word(Jitter.class), "jitter");
        put(kinds, Kind.word(OnTransportFailure.class), "onTransportFailure");
        put(kinds, Kind.word(UnknownOutcome.class), "onUnknownOutcome");
        put(kinds, Kind.word(ResultBody.class), "result");
        return kinds;
    }

    private static Map<String, Bean> beans() {
        Map<String, Bean> beans = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Bean bean : List.of(
                new Bean("bulkApi", BulkApi.class, true),
                new Bean("itemKey", Function.class, true),
                new Bean("itemClassifier", ItemClassifier.class, false),
                new Bean("redeliveryPolicy", RedeliveryPolicy.class, false))) {
            beans.put(bean.option, bean);
        }
        return beans;
    }

    private static void put(Map<String, Kind> kinds, Kind kind, String... names) {
        for (String name : names) {
            kinds.put(name, kind);
        }
    }

    /** The options that {@link #checkText} looks at. */
    static Set<String> checkedAsText() {
        return KINDS.keySet();
    }

    /**
     * Refuses a text of which Camel's binding would make something else without a word (of {@code 5q} or {@code 1.7} it
     * makes 0, and of a number that is too large another one), or which it would refuse without saying what it expects.
     *
     * @throws IllegalArgumentException naming the option and its value
     */
    static void checkText(String name, Object value) {
        if (value instanceof String text
                && !FREE_TEXTS.contains(name)
                && SWALLOWED_OPTIONS.matcher(text).find()) {
            throw new IllegalArgumentException(name + "=" + text.substring(0, text.indexOf('?'))
                    + "?…: its value holds a question mark and options; a URI has one question mark, later options begin"
                    + " with &");
        }
        Kind kind = KINDS.get(name);
        if (kind != null && value instanceof String text && !text.startsWith("#") && !kind.isGood.test(text.trim())) {
            throw new IllegalArgumentException(name + "=" + text + ": expected " + kind.expected);
        }
    }

    /**
     * Refuses an option that stands twice in a URI, as one does that a kamelet is given beside its {@code delegateUri} and in
     * it: Camel makes a list of the values.
     *
     * @param printable the value, fit to be printed
     * @throws IllegalArgumentException naming the option and its values
     */
    static void checkGivenOnce(String name, Object value, String printable) {
        if (value instanceof Collection<?>) {
            throw new IllegalArgumentException(
                    name + "=" + printable + ": the option is given more than once; leave one of them");
        }
    }

    /**
     * Refuses the name of a bean that is not there, or is none that the option takes: Camel would do so without saying
     * what it expects, or read a bean that is a text as if it stood there. What Camel makes of {@code #class:} and its
     * like is left to it.
     *
     * @throws IllegalArgumentException naming the option and its value
     */
    static void checkBean(CamelContext context, String name, Object value) {
        Bean expected = BEANS.get(name);
        if (expected == null || !(value instanceof String text) || !text.startsWith("#") && expected.isText) {
            return;
        }
        String problem = text.startsWith("#") ? problemOf(context, text.substring(1), expected) : "";
        if (problem != null) {
            throw new IllegalArgumentException(
                    expected.option + "=" + text.replaceAll("(?s)\\?.*", "?…") + ": expected a reference (#name) to a "
                            + expected.type.getName() + problem + (expected.isText ? "; write names without #" : ""));
        }
    }

    private static String problemOf(CamelContext context, String reference, Bean expected) {
        String id = reference.startsWith("bean:") ? reference.substring("bean:".length()) : reference;
        if (id.indexOf(':') >= 0 || id.equals("autowired")) {
            return null;
        }
        Object bean = context.getRegistry().lookupByName(id);
        if (bean == null) {
            return ", found no bean of this name in the registry";
        }
        return expected.type.isInstance(bean)
                ? null
                : ", found a " + bean.getClass().getName();
    }

    /** @throws IllegalArgumentException naming the option and its value */
    static void check(BatchResidueConfiguration options) {
        atLeast(1, "batchSize", options.getBatchSize());
        atLeast(1, "batchBytes", options.getBatchBytes());
        atLeast(1, "parallelRequests", options.getParallelRequests());
        atLeast(0, "maxPendingResidue", options.getMaxPendingResidue());
        atLeast(-1, "maximumRedeliveries", options.getMaximumRedeliveries());
        atLeast(0, "redeliveryDelay", options.getRedeliveryDelay());
        atLeast(0, "maximumRedeliveryDelay", options.getMaximumRedeliveryDelay());
        atLeast(0, "redeliveryTimeout", options.getRedeliveryTimeout());
        if (options.getBackOffMultiplier() != null && !isMultiplier(options.getBackOffMultiplier())) {
            throw new IllegalArgumentException(
                    "backOffMultiplier=" + options.getBackOffMultiplier() + ": expected 1 or more");
        }
        if (!List.of("auto", "true", "false").contains(options.getRetainLanded())) {
            throw new IllegalArgumentException(
                    "retainLanded=" + options.getRetainLanded() + ": expected auto, true or false");
        }
        checkPolicyStandsAlone(options);
    }

    private static boolean isMultiplier(double number) {
        return number >= 1 && Double.isFinite(number);
    }

    private static void checkPolicyStandsAlone(BatchResidueConfiguration options) {
        if (options.getRedeliveryPolicy() == null) {
            return;
        }
        List<String> beside = new ArrayList<>();
        addIfGiven("maximumRedeliveries", options.getMaximumRedeliveries(), beside);
        addIfGiven("redeliveryDelay", options.getRedeliveryDelay(), beside);
        addIfGiven("backOffMultiplier", options.getBackOffMultiplier(), beside);
        addIfGiven("maximumRedeliveryDelay", options.getMaximumRedeliveryDelay(), beside);
        addIfGiven("jitter", options.getJitter(), beside);
        if (!beside.isEmpty()) {
            throw new IllegalArgumentException("redeliveryPolicy is taken as it is: remove " + String.join(", ", beside)
                    + ", or remove the policy");
        }
    }

    private static void addIfGiven(String name, Object value, List<String> given) {
        if (value != null) {
            given.add(name + "=" + value);
        }
    }

    private static void atLeast(long minimum, String name, Number value) {
        if (value != null && value.longValue() < minimum) {
            throw new IllegalArgumentException(name + "=" + value + ": expected " + minimum + " or more");
        }
    }
}
