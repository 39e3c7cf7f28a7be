import type { LegalTexts } from './legal-text.ts';

const signature = `
This agreement begins on the day it is signed for the Customer and lasts as long as the Operator holds data of the Customer.
It is signed electronically. The parties agree that such a signature binds them as one on paper does.
Whoever signs states that they may do so in the name of the Customer.`;

/**
 * The texts to sign where the operator has put no words of their own: short and general. The first line is the title; empty lines
 * part paragraphs.
 */
export const builtInTexts: LegalTexts = {
  DPA: `Data Processing Agreement

Between {{company_name}}, at {{company_address}} (the Customer), and {{operator}} (the Operator). Submitted on {{date}}.

1. Subject. The Operator runs an analytics system. The Customer sends events to it, which may hold personal data. The Customer decides what is sent and for what purpose and is the controller; the Operator processes the data as a processor.

2. Instructions. The Operator processes personal data only to store it, to answer the Customer's queries and to keep the system working, and otherwise only on written instructions of the Customer. The Operator says so at once when it holds an instruction to be unlawful.

3. Confidentiality. The Operator lets only persons work with the data who need it for their task and who are bound to secrecy.

4. Security. The Operator protects the data against loss, alteration and access by others by measures that fit the risk: access by role, encryption on the way, separation of customers, and backups.

5. Others who help. The Operator names to the Customer whoever else processes the data for it, binds them to the duties of this agreement, and answers for them. The Customer may object to a new one for good reason.

6. Rights of persons. The Operator helps the Customer to answer persons who want to see, correct, receive or delete their data.

7. Breaches. The Operator tells the Customer without undue delay of every breach of the security of its data that it learns of, with what it knows of the nature, the extent and the remedy.

8. Evidence. The Operator gives the Customer what is needed to show that this agreement is kept, and allows inspections that are announced in reasonable time.

9. End. When the Customer stops using the system, the Operator deletes the Customer's personal data or returns it first, as the Customer chooses, unless the law demands that it is kept.
${signature}`,

  BAA: `Business Associate Agreement

Between {{company_name}}, at {{company_address}} (the Customer), and {{operator}} (the Operator). Submitted on {{date}}.

1. Subject. The Customer is a covered entity, or a business associate of one, under the United States Health Insurance Portability and Accountability Act (HIPAA). Events that it sends to the Operator's analytics system may hold protected health information. As far as they do, the Operator is its business associate. Words of this agreement mean what they mean in 45 CFR parts 160 and 164.

2. Use and disclosure. The Operator uses and discloses protected health information only to run the analytics system for the Customer, as this agreement allows, or as the law demands, and never in a way that would be forbidden to the Customer itself.

3. No processing by AI. The Operator hands no data of the Customer to services of artificial intelligence. Signing this agreement withdraws any consent to that.

4. Safeguards. The Operator keeps administrative, physical and technical safeguards that fit, and meets subpart C of 45 CFR part 164 for electronic protected health information.

5. Reports. The Operator reports to the Customer without unreasonable delay, and within ten days at most, every use or disclosure that this agreement does not allow, every security incident and every breach of unsecured protected health information that it learns of.

6. Subcontractors. The Operator makes sure that whoever creates, receives, keeps or transmits protected health information for it agrees to the same restrictions and conditions.

7. Rights of persons. The Operator makes protected health information that it holds available to the Customer for access, amendment and the accounting of disclosures, as 45 CFR 164.524, 164.526 and 164.528 demand.

8. Books and records. The Operator opens its internal practices, books and records on protected health information to the Secretary of Health and Human Services to show that the rules are kept.

9. End. The Customer may end this agreement when the Operator has broken an essential duty and has not cured it in reasonable time. At the end the Operator returns or destroys all protected health information that it still holds; where neither is possible, this agreement goes on to protect it.
${signature}`,
};
