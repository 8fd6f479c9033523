import type { Topic } from '../topic.ts'

export const mapDemo = {
  label: ['地图组件演示', 'Demo of the map components'],
  provider: ['由谁绘制', 'Drawn by'],
  national: ['国家地图服务', 'National service'],
  local: ['本地底图', 'Local map'],
  part: ['组件', 'Component'],
  markers: ['标注', 'Markers'],
  shapes: ['图形', 'Shapes'],
  tiles: ['底图', 'Base map'],
  search: ['搜索', 'Search'],
  routes: ['路线', 'Routes'],
  track: ['轨迹', 'Track'],

  markersHelp: [
    '拖动红色标注，位置随之变化；相近的点合成一个，点按展开。',
    'Drag the marker with the label; points that are close are drawn as one, a click opens it.',
  ],
  markerLabel: ['可拖动', 'Drag me'],
  position: ['位置 {at}', 'Position {at}'],
  clicked: ['点按了第 {n} 个点', 'Point {n} was clicked'],
  clusterClicked: ['点按了聚合点', 'A cluster was clicked'],
  showCluster: ['聚合 200 个点', 'Cluster 200 points'],

  shapesHelp: [
    '折线、多边形逐点单击，双击结束；矩形、圆点两下（国家地图服务用拖动）。',
    'Click each corner of a line or an area and end with a double click; two clicks make a rectangle or a circle (the national service drags them).',
  ],
  polyline: ['折线', 'Line'],
  polygon: ['多边形', 'Area'],
  rectangle: ['矩形', 'Rectangle'],
  circle: ['圆', 'Circle'],
  draw: ['画{kind}', 'Draw: {kind}'],
  edit: ['编辑', 'Edit'],
  remove: ['全部清除', 'Remove all'],
  corners: ['{kind}：{n} 个顶点，{m} 米', '{kind}: {n} corners, {m} m'],
  circleText: ['{kind}：半径 {m} 米', '{kind}: radius {m} m'],
  rectangleText: ['{kind}：{from} 至 {to}', '{kind}: {from} to {to}'],

  annotations: ['注记', 'Annotations'],
  noBase: ['本地底图没有瓦片，图上只有演示的内容', 'The local map has no tiles: it shows only what the demo draws'],
  noTiles: ['本地底图没有这种瓦片', 'The local map has no such tiles'],
  searchLocal: [
    '本地搜索学校、派出所、位置和设备，没有国标码。',
    'Here schools, stations, places and devices are searched; they have no GB code.',
  ],
  noSearch: ['搜索需要“一张图”的权限', 'The search needs the permission of the map'],
  passed: ['已过第 {n} / {length} 个点', 'Passed node {n} of {length}'],
} satisfies Topic
