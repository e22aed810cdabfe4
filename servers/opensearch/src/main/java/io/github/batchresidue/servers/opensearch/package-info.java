/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/** A real OpenSearch node inside the JVM, for tests and examples. */
package io.github.batchresidue.servers.opensearch;
