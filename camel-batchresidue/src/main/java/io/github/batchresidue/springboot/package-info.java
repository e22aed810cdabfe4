/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What Spring Boot needs to find the properties of the component. Nothing here is loaded without it. */
package io.github.batchresidue.springboot;
