import type { SameKeys } from '../../same-keys.ts'
import type { guide as zh } from '../../zh-cn/system/guide.ts'

export const guide: SameKeys<typeof zh> = {
  title: 'The console in five minutes',
  intro: 'What you do every day. Your menu depends on your roles: what is not there you do not need.',
  contents: 'Contents',
  signIn: 'Signing in',
  signIn1: 'Enter user name, password and the code of the picture. You are told when caps lock is on.',
  signIn2:
    'A code by text message or a QR code works too. “Forgot password” sets a new one by a code to mobile or e-mail.',
  signIn3:
    'When you leave your seat press Alt L: the screen is covered, alarms still ring, and a password brings it back.',
  find: 'Finding a page',
  find1: 'The menu is at the left or at the top; on a phone the button at the top left opens it.',
  find2: 'Ctrl K searches: the name of a page, or the number, place or device of an alarm. Enter opens it.',
  find3:
    'Language, theme and size are at the top right; your picture opens the settings for layout, colours, tags and watermark.',
  find4: 'With the tag bar you go from page to page, and what you have not saved yet stays.',
  live: 'Knowing that it is live',
  live1: 'While “Live” stands at the top right, pages follow by themselves.',
  live2: 'While it says that it is not, what you see may be old. It connects again by itself; look at the network too.',
  live3: 'Each list says when it was read; the button beside it reads it again.',
  desk: 'Handling an alarm',
  desk1: 'Open the alarm desk and start your shift with the sound test. Browsers play sound only after a click.',
  desk2: 'A new alarm rings and shows school and room. Press N for the next unclaimed alarm, then claim it.',
  desk3: 'You now own the alarm. Verify it and send someone. If a life is in danger, hand it to police at once.',
  desk4: 'When it is over, resolve it with outcome and cause. Another person closes it.',
  desk5: 'Mark false alarms as such. At levels 1 and 2 another person must confirm.',
  desk6: 'If your seat is offline for thirty seconds, the alarm rings again for others.',
  records: 'Looking into alarms',
  records1: 'The alarm records hold all you may see: the last 7 days unless you say otherwise, at most 92 at a time.',
  records2: 'A record shows each step with its time, its person and the device; nobody can change this log.',
  records3: 'Tests and drills are marked, and count for nothing real.',
  lists: 'Using lists',
  lists1: 'Enter searches; the filter is part of the address, to be kept or sent to a colleague.',
  lists2:
    'Export gives xlsx or csv; long ones are written in the background and fetched at the top right. A cell of Excel holds 32,767 characters: a longer text ends with “… [已截断 / cut]”; the csv holds all of it.',
  lists3:
    'When somebody else changed what you save, most forms show both values: take theirs, or save yours. The others do not save: open them again.',
  lists4: 'Users can be imported from a sheet: checked first, then written, with each mistake by its line.',
  rights: 'Rights',
  rights1: 'Your roles decide which schools and departments you see; all others are as if they were not there.',
  rights2: 'A button that is missing is a right that you do not have; ask your administrator.',
  rights3: 'Nobody gives more than he has himself, and every change is on record.',
  account: 'Your account',
  account1: 'Your picture leads to your account: data, picture and password.',
  account2: 'Turn on the second factor, and bind mobile or e-mail so that you can get back in.',
  account3: 'Your account lists every browser you are signed in with; sign out those you do not know.',
  trouble: 'When something is wrong',
  trouble1: 'Look whether the page is live, then reload it.',
  trouble2: 'If a message has a trace id, tell it to your administrator together with the time.',
  trouble3: 'No sound: look at the speaker, then restore the sound at the alarm desk.',
}
