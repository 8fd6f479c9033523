import type { Topic } from '../topic.ts'

export const school = {
  places: ['位置', 'Places'],
  placesOf: ['位置：{name}', 'Places of {name}'],
  noPlaces: ['尚未登记位置', 'No places registered yet'],
  noSchools: [
    '尚无学校，可在部门管理中建立学校部门后登记。',
    'No schools yet. Create a department of kind school first, then register the school.',
  ],
  keyPart: ['重点部位', 'Key part'],
  contacts: ['应急联系人', 'Emergency contacts'],
  noContacts: ['尚未登记应急联系人', 'No emergency contacts registered yet'],
  numbersMasked: ['号码已隐藏：您没有查看联系人电话的权限', 'Numbers are hidden: you have no right to see them'],
  fence: ['电子围栏', 'Geofence'],
  noFence: ['尚未划定电子围栏', 'No geofence drawn yet'],
  fenceOf: ['{n} 个顶点，约 {area} 公顷', '{n} corners, about {area} ha'],
  cameras: ['摄像机 {names}', 'Cameras {names}'],
  outlined: ['平面图轮廓 {n} 个点', 'Outline on the plan: {n} points'],
} satisfies Topic
