/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The loop: which item goes into which request and when, what a reply means for it, and where it ends. Pure Java: it
 * knows no Camel, no JSON and does no I/O; transport, dead letters, source, time and random numbers are handed in.
 *
 * <p>{@link io.github.batchresidue.engine.Run} is the place to start reading: the comment at its head tells the life of
 * an item.
 */
package io.github.batchresidue.engine;
