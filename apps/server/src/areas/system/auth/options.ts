import type { SignInOptions } from '@tocsin/contract/system/sign-in/options'
import { settingOf } from '../config/value.ts'
import { mailOpen, smsOpen } from '../outbound/channels.ts'
import { registrationOpen } from '../register/open.ts'
import { providersOf } from '../social/providers.ts'
import type { AuthDeps } from './deps.ts'

export const optionsOf = async ({ db, version }: AuthDeps): Promise<SignInOptions> => ({
  title: await settingOf(db, 'site.title'),
  version,
  mobile: await smsOpen(db),
  email: await mailOpen(db),
  qr: (await settingOf(db, 'sign-in.qr')) === 'true',
  register: await registrationOpen(db),
  social: (await providersOf(db)).map(({ key, name, nameEn, icon }) => ({ key, name, nameEn, icon })),
})
