/** What somebody tells when they become a member, in the words of the member record whatever form they filled in. */
export interface MembershipForm {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly pronouns?: string;
  readonly faculty?: string;
  readonly major?: string;
  /** Academic year. */
  readonly year?: string;
  readonly education?: string;
  readonly studentNumber?: string;
  readonly international?: boolean;
  readonly prevMember?: boolean;
  readonly diet?: string;
  readonly heardFrom?: string;
  readonly heardFromSpecify?: string;
  readonly university?: string;
  readonly highSchool?: string;
  readonly topics?: readonly string[];
}
