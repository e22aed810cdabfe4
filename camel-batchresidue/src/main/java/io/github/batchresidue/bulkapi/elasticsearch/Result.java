/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.engine.Failure;

/**
 * What an answer says of one operation.
 *
 * @param word the operation that it is of
 * @param id null if it names no document
 * @param error what went wrong; null if nothing did
 * @param isStoredElsewhere whether the document went to the failure store
 */
record Result(String word, String id, int status, Failure error, boolean isStoredElsewhere) {}
