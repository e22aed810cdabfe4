/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.springboot;

import io.github.batchresidue.camel.BatchResidueComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.spi.ComponentCustomizer;
import org.apache.camel.support.PropertyBindingSupport;
import org.apache.camel.support.service.ServiceHelper;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Makes the properties {@code camel.component.batchresidue.*} of a Spring Boot application defaults of the component. Camel
 * Main reads them by itself; on Spring Boot Camel leaves that to each component, and would pass over ours in silence.
 */
@AutoConfiguration
public class BatchResidueAutoConfiguration {

    private static final String PREFIX = "camel.component.batchresidue";

    /** Binds the properties when the component is made; a bad or unknown one fails the start. */
    @Bean
    ComponentCustomizer batchResidueProperties(Environment environment) {
        return ComponentCustomizer.forType(BatchResidueComponent.class, component -> bind(environment, component));
    }

    private static void bind(Environment environment, BatchResidueComponent component) {
        Map<String, Object> properties = Binder.get(environment)
                .bind(PREFIX, Bindable.mapOf(String.class, Object.class))
                .orElseGet(Map::of);
        Map<String, Object> options = new LinkedHashMap<>();
        properties.forEach((name, value) -> options.put(name.replace('_', '-'), value)); // Camel knows dashes only.
        ServiceHelper.initService(component); // The configurer is there only then.
        PropertyBindingSupport.build()
                .withConfigurer(component.getComponentPropertyConfigurer())
                .withIgnoreCase(true)
                .withMandatory(true)
                .bind(component.getCamelContext(), component, options);
    }
}
