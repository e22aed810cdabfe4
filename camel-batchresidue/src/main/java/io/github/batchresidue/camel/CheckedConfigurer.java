/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.CamelContext;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.spi.PropertyConfigurerGetter;

/** Camel's generated configurer of the component, with our checks of each value before it is bound. */
final class CheckedConfigurer implements PropertyConfigurer, PropertyConfigurerGetter {

    private final PropertyConfigurer generated;
    private final PropertyConfigurerGetter options;

    /** @param generated one that also is a {@link PropertyConfigurerGetter}, as all that Camel generates */
    CheckedConfigurer(PropertyConfigurer generated) {
        this.generated = generated;
        this.options = (PropertyConfigurerGetter) generated;
    }

    @Override
    public boolean configure(CamelContext camelContext, Object target, String name, Object value, boolean ignoreCase) {
        OptionChecks.checkText(name, value);
        OptionChecks.checkBean(camelContext, name, value);
        return generated.configure(camelContext, target, name, value, ignoreCase);
    }

    @Override
    public Class<?> getOptionType(String name, boolean ignoreCase) {
        return options.getOptionType(name, ignoreCase);
    }

    @Override
    public Object getOptionValue(Object target, String name, boolean ignoreCase) {
        return options.getOptionValue(target, name, ignoreCase);
    }

    @Override
    public Object getCollectionValueType(Object target, String name, boolean ignoreCase) {
        return options.getCollectionValueType(target, name, ignoreCase);
    }

    @Override
    public String[] getAutowiredNames() {
        return options.getAutowiredNames();
    }
}
