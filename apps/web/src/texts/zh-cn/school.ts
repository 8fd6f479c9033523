export const school = {
  places: '位置',
  placesOf: '位置：{name}',
  noPlaces: '尚未登记位置',
  noSchools: '尚无学校，可在部门管理中建立学校部门后登记。',
  keyPart: '重点部位',
}
