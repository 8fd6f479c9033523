import type { Same } from '../../same.ts'
import type { profile as zh } from '../../zh-cn/system/profile.ts'

export const profile: Same<typeof zh> = {
  edit: 'My data',
  password: 'Change password',
  dept: 'Department',
  roles: 'Roles',
  noRoles: 'No roles; ask an administrator',
  passwordChanged: 'Password changed; you were signed out on all other devices',
  repeated: 'Repeat the new password',
  repeatMissing: 'Repeat the new password',
  repeatDiffers: 'The two passwords are inconsistent',
  rules: 'A password',
  ruleLength: 'has 8 to 64 characters; a long sentence is better than a short riddle',
  ruleCommon: 'is none of the common ones, nor repeated or consecutive characters',
  ruleOther: 'differs from the user name and from the current password',
  strength: 'Strength: {level}',
  strength0: 'too short',
  strength1: 'weak',
  strength2: 'fair',
  strength3: 'good',
  strength4: 'strong',
}
