/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;

/**
 * Makes one kind of {@link BulkApi}. Found by {@link java.util.ServiceLoader}: one line in
 * {@code META-INF/services/io.github.batchresidue.bulkapi.BulkApiProvider} registers it. The class itself must load
 * without the optional libraries of its API; only {@link #create} may touch them.
 */
public interface BulkApiProvider {

    /** The names by which {@code bulkApi} chooses it; the first is the name, the others are aliases. */
    List<String> names();

    /** Names of its options, without the prefix {@code bulkApi.}. */
    Set<String> optionNames();

    /** Maven coordinates, {@code groupId:artifactId}, of what has to be on the class path. */
    List<String> coordinates();

    /**
     * Whether this API is what the delegate speaks, so that {@code bulkApi} need not be given. Decided from
     * {@link Endpoint#getEndpointUri()} and {@link Endpoint#getEndpointBaseUri()} alone. Whoever names an API that is not
     * spoken by a delegate of another one, is refused; over {@code http} and what no API calls its own, any API goes.
     */
    boolean isSpokenBy(Endpoint delegate);

    /**
     * Makes the API for one endpoint.
     *
     * @throws IllegalArgumentException if an option has a bad value; the message names option and value
     * @throws LinkageError if one of the {@link #coordinates()} is not on the class path
     */
    BulkApi create(BulkApiContext context);
}
