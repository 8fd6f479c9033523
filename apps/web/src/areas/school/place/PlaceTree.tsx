import type { PlaceRow } from '@tocsin/contract/school/place'
import { Tree, Typography } from 'antd'
import { type Key, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { ancestorIds, expandableKeys, placeAt, type TreePlace, type Where } from '#ui/tree/tree.ts'
import type { PlaceNode } from '../place-tree.ts'

const PlaceTitle = ({ place }: { place: PlaceRow }) => {
  const { t } = useTranslation()
  return (
    <span className="place-node">
      <span>{place.name}</span>
      {place.code && <Typography.Text type="secondary">{place.code}</Typography.Text>}
      {place.keyPart && <ToneTag tone={place.deviceCount === 0 ? 'wait' : 'calm'}>{t('school.keyPart')}</ToneTag>}
      {place.sensitivity === 'PRIVATE' && <EnumTag kind="sensitivity" value={place.sensitivity} />}
      {place.deviceCount > 0 && (
        <Typography.Text type="secondary">{t('school.placeDevices', { n: place.deviceCount })}</Typography.Text>
      )}
    </span>
  )
}

type Dropped = { dropToGap: boolean; dropPosition: number; node: { pos: string } }

/** Where antd reports that a row was dropped. */
const whereOf = ({ dropToGap, dropPosition, node }: Dropped): Where => {
  if (!dropToGap) return 'inside'
  return dropPosition - Number(node.pos.split('-').at(-1)) < 0 ? 'before' : 'after'
}

type TreeProps = {
  /** As the server has them. */
  rows: readonly PlaceRow[]
  nodes: PlaceNode[]
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
  checked: readonly number[]
  onCheck: (ids: number[]) => void
  move: (place: PlaceRow, to: TreePlace) => void
  /** The place that is moved by keys; it stays in view. */
  movingId: number | undefined
}

const toIds = (keys: readonly Key[]) => keys.map(Number)

const flatten = (nodes: readonly PlaceNode[]): PlaceNode[] => nodes.flatMap((node) => [node, ...flatten(node.children)])

export const PlaceTree = ({ rows, nodes, chosen, onChoose, checked, onCheck, move, movingId }: TreeProps) => {
  const mayUpdate = useHasPermission('school:place:update')
  const [expanded, setExpanded] = useState<readonly Key[]>(() => expandableKeys(nodes, rows.length > 60 ? 1 : 3))
  const above = movingId === undefined ? [] : ancestorIds(flatten(nodes), movingId)
  return (
    <Tree<PlaceNode>
      blockNode
      showLine
      checkable={mayUpdate}
      checkStrictly
      draggable={mayUpdate && { icon: false }}
      expandedKeys={[...new Set([...expanded, ...above])]}
      onExpand={setExpanded}
      selectedKeys={chosen === undefined ? [] : [chosen]}
      checkedKeys={[...checked]}
      treeData={nodes}
      titleRender={(place) => <PlaceTitle place={place} />}
      onSelect={(keys) => onChoose(toIds(keys)[0])}
      onCheck={(keys) => onCheck(toIds(Array.isArray(keys) ? keys : keys.checked))}
      onDrop={(info) => {
        const taken = rows.find(({ id }) => id === info.dragNode.id)
        const to = taken && placeAt(rows, taken.id, { on: info.node.id, where: whereOf(info) })
        if (taken && to) move(taken, to)
      }}
    />
  )
}
