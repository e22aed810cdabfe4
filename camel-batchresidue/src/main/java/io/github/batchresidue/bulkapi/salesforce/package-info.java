/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Salesforce sObject Collections over {@code camel-salesforce}. The delegate's own producer performs every request, with
 * its session and its client, so that it is the delegate that logs in again when a session has expired.
 */
package io.github.batchresidue.bulkapi.salesforce;
