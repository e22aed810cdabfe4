/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a bulk API is to the component: how one service takes items and answers for them. Each API is one package below
 * this one and uses {@link io.github.batchresidue.bulkapi.BulkApi} and nothing else of the component.
 */
package io.github.batchresidue.bulkapi;
