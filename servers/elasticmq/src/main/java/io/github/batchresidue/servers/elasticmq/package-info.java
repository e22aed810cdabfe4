/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/** A real server of the SQS API inside the JVM, and a proxy before it that makes it fail, for tests and examples. */
package io.github.batchresidue.servers.elasticmq;
