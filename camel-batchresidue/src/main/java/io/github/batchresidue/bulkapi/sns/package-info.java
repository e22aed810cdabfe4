/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * PublishBatch of SNS: up to 10 messages for a topic. The answer names each entry by id as accepted or failed.
 */
package io.github.batchresidue.bulkapi.sns;
