import { preferences } from '@tocsin/contract/access/preference'
import { profile } from '@tocsin/contract/access/profile'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { deleteAvatar, updateAvatar } from './avatar.ts'
import { savePreferences } from './preference.ts'
import { getProfile, updateProfile } from './profile.ts'
import { profileRoutesV1 } from './compat.ts'

export const profileRoutes = ({ db }: { db: Db }): Route[] => [
  route(profile.get, ({ actor }) => getProfile(db, actor)),
  route(profile.update, ({ body, caller }) => updateProfile(db, body, { who: caller, call: profile.update.path })),
  route(profile.updateAvatar, ({ files, caller }) => updateAvatar(db, files.avatarFile[0], caller)),
  route(preferences.update, ({ body, caller }) => savePreferences(db, body, caller)),
  route(profile.deleteAvatar, ({ caller }) => deleteAvatar(db, caller)),
  ...profileRoutesV1({ db }),
]
