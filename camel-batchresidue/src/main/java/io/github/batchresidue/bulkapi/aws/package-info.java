/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the bulk APIs of AWS have in common: how a request fails as a whole, how the service asks for a wait, and the
 * retries that its clients make on their own. Knows no single service.
 */
package io.github.batchresidue.bulkapi.aws;
