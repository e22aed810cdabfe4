/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Salesforce sObject Collections over {@code camel-salesforce}, with the session and the HTTP client of the delegate's
 * component.
 */
package io.github.batchresidue.bulkapi.salesforce;
