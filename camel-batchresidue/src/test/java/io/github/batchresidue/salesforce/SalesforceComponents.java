/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.salesforce;

import io.github.batchresidue.simulators.SalesforceOrg;
import org.apache.camel.CamelContext;
import org.apache.camel.component.salesforce.AuthenticationType;
import org.apache.camel.component.salesforce.SalesforceComponent;

/** The salesforce component as a user sets it up, with a simulated org. */
public final class SalesforceComponents {

    private SalesforceComponents() {}

    public static SalesforceComponent add(CamelContext context, SalesforceOrg org) {
        SalesforceComponent salesforce = new SalesforceComponent();
        salesforce.setLoginUrl(org.endpoint().toString());
        salesforce.setAuthenticationType(AuthenticationType.CLIENT_CREDENTIALS);
        salesforce.setClientId("id");
        salesforce.setClientSecret("secret");
        context.addComponent("salesforce", salesforce);
        return salesforce;
    }
}
