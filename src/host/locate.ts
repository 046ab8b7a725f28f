/** First line of what a proof is made over; a change of the scheme changes it. */
export const PROOF_CONTEXT = 'uiahost proof 1';
