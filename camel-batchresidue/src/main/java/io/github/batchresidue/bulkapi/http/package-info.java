/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What bulk APIs over HTTP share: the answer of a delegate, whether it came as a message or as an exception. */
package io.github.batchresidue.bulkapi.http;
