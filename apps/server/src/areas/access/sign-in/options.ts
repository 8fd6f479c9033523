import type { SignInOptions } from '@tocsin/contract/access/sign-in/options'
import { getSetting } from '#settings/settings-cache'
import { isMailConfigured, isSmsConfigured } from '#areas/settings/channels'
import { isRegistrationOpen } from '#areas/settings/registration-switch'
import { listProviders } from './social/providers.ts'
import type { AuthDeps } from './deps.ts'

export const getSignInOptions = async ({ db, version }: AuthDeps): Promise<SignInOptions> => ({
  title: await getSetting(db, 'site.title'),
  version,
  mobile: await isSmsConfigured(db),
  email: await isMailConfigured(db),
  qr: (await getSetting(db, 'sign-in.qr')) === 'true',
  register: await isRegistrationOpen(db),
  social: (await listProviders(db)).map(({ key, name, nameEn, icon }) => ({ key, name, nameEn, icon })),
})
