/** Earlier names of pages below `docs/`, each with its present name. The site leads from the one to the other. */
export const moved = {
  "decisions/README": "decisions",
  "decisions/creation-records": "decisions#creation-records",
  "decisions/dynamic-first": "dynamic-provider",
  "decisions/no-queue": "decisions#no-queue-for-writes",
  "decisions/refresh-is-the-recovery": "decisions#refresh-is-the-recovery",
  "decisions/sets-update-in-place": "decisions#share-sets-update-in-place",
  "policies/cryptography": "reference/policies#cryptography",
  "policies/life-cycle": "reference/policies#life-cycle",
  "policies/peers": "reference/policies#peers",
  "policies/secrets": "reference/policies#secrets",
  "policies/services": "reference/policies#applications",
  secrets: "security",
};
