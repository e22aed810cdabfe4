/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.salesforce;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.apache.camel.component.salesforce.api.dto.AbstractDescribedSObjectBase;
import org.apache.camel.component.salesforce.api.dto.SObjectDescription;

/** A DTO as {@code camel-salesforce-maven-plugin} generates it. */
public class Account extends AbstractDescribedSObjectBase {

    private static final SObjectDescription DESCRIPTION = new SObjectDescription();

    static {
        DESCRIPTION.setName("Account");
    }

    private String Industry;

    public Account() {
        getAttributes().setType("Account");
    }

    static Account named(String name) {
        Account account = new Account();
        account.setName(name);
        return account;
    }

    @JsonProperty("Industry")
    public String getIndustry() {
        return Industry;
    }

    @JsonProperty("Industry")
    public void setIndustry(String industry) {
        Industry = industry;
    }

    @Override
    public SObjectDescription description() {
        return DESCRIPTION;
    }
}
