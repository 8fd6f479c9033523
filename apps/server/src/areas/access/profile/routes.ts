import { preferences } from '@tocsin/contract/access/preference'
import { profile } from '@tocsin/contract/access/profile'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { deleteAvatar, updateAvatar } from './avatar.ts'
import { savePreferences } from './preference.ts'
import { getProfile, updateProfile } from './profile.ts'
import { profileRoutesV1 } from './v1.ts'

export const profileRoutes = ({ db }: { db: Db }): Route[] => [
  route(profile.get, ({ actor }) => getProfile(db, actor)),
  route(profile.update, ({ body, actor, origin }) =>
    updateProfile(db, body, { who: { actor, origin }, call: profile.update.path }),
  ),
  route(profile.updateAvatar, ({ files, actor, origin }) => updateAvatar(db, files.avatarFile[0], { actor, origin })),
  route(preferences.update, ({ body, actor, origin }) => savePreferences(db, body, { actor, origin })),
  route(profile.deleteAvatar, ({ actor, origin }) => deleteAvatar(db, { actor, origin })),
  ...profileRoutesV1({ db }),
]
