/** The words of ANSI/TMA AVS-01's levels of validation, 0 no call for service to 4 confirmed threat to life. */
export const validationTexts = [
  'desk.validation0',
  'desk.validation1',
  'desk.validation2',
  'desk.validation3',
  'desk.validation4',
] as const
