import type { SameKeys } from '../../same-keys.ts'
import type { file as zhFile, upload as zhUpload } from '../../zh-cn/system/file.ts'

export const file: SameKeys<typeof zhFile> = {
  none: 'There are no files yet',
  period: 'Uploaded',
  periodHint: 'Filters by the time of the upload',
  upload: 'Upload files',
  uploadHelp: 'Files of the library are kept until somebody deletes them.',
  close: 'Done',
  show: 'Preview',
  download: 'Download',
  usedHelp: 'The file is in use and cannot be deleted',
  avatar: 'Picture',
  avatarChange: 'Change picture',
  avatarHint: 'Click the picture to change it',
  avatarRemove: 'Remove picture',
  avatarRemoveAsk: 'Remove your picture?',
}

export const upload: SameKeys<typeof zhUpload> = {
  image: 'Add a picture',
  kept: 'The saved file',
  drop: 'Click to choose, or drop or paste files here',
  limitOne: 'At most {size}',
  limit: 'At most {count} files of {size} each',
  tooMany: 'At most {count} files',
  progress: 'Progress of {name}',
  retry: 'Try {name} again',
  cancel: 'Cancel {name}',
  remove: 'Remove {name}',
  show: 'Preview {name}',
  crop: 'Crop the picture',
  cropHelp: 'Drag the picture to choose; the arrow keys move it too.',
  zoom: 'Zoom',
  smaller: 'Smaller',
  larger: 'Larger',
  turn: 'Turn',
  flip: 'Flip',
  result: 'As it will be shown',
  unreadable: 'This picture cannot be read',
}
