import type { Topic } from '../topic.ts'

export const file = {
  none: ['还没有文件', 'There are no files yet'],
  period: ['上传时间', 'Uploaded'],
  periodHint: ['按上传时间筛选', 'Filters by the time of the upload'],
  upload: ['上传文件', 'Upload files'],
  uploadHelp: [
    '上传到文件库的文件会一直保留，直到被删除。',
    'Files of the library are kept until somebody deletes them.',
  ],
  close: ['完成', 'Done'],
  show: ['预览', 'Preview'],
  download: ['下载', 'Download'],
  usedHelp: ['文件正在被使用，不能删除', 'The file is in use and cannot be deleted'],
  avatar: ['头像', 'Picture'],
  avatarChange: ['更换头像', 'Change picture'],
  avatarHint: ['点击图片更换', 'Click the picture to change it'],
  avatarRemove: ['移除头像', 'Remove picture'],
  avatarRemoveAsk: ['确认要移除头像吗？', 'Remove your picture?'],
} satisfies Topic

export const upload = {
  image: ['上传图片', 'Add a picture'],
  kept: ['已保存的文件', 'The saved file'],
  drop: ['点击选择，或将文件拖放、粘贴到这里', 'Click to choose, or drop or paste files here'],
  limitOne: ['不超过 {size}', 'At most {size}'],
  limit: ['最多 {count} 个，每个不超过 {size}', 'At most {count} files of {size} each'],
  tooMany: ['最多 {count} 个文件', 'At most {count} files'],
  progress: ['{name} 的上传进度', 'Progress of {name}'],
  retry: ['重试 {name}', 'Try {name} again'],
  cancel: ['取消 {name}', 'Cancel {name}'],
  remove: ['移除 {name}', 'Remove {name}'],
  show: ['预览 {name}', 'Preview {name}'],
  crop: ['裁剪头像', 'Crop the picture'],
  cropHelp: ['拖动图片选择区域；也可用方向键移动。', 'Drag the picture to choose; the arrow keys move it too.'],
  zoom: ['缩放', 'Zoom'],
  smaller: ['缩小', 'Smaller'],
  larger: ['放大', 'Larger'],
  turn: ['旋转', 'Turn'],
  flip: ['翻转', 'Flip'],
  result: ['裁剪结果', 'As it will be shown'],
  unreadable: ['无法读取该图片', 'This picture cannot be read'],
} satisfies Topic
