import { type PlaceRow, places } from '@tocsin/contract/school/place'
import { placeEdits, placeImports, PlaceSheetRow } from '@tocsin/contract/school/place-edits'
import { useQuery } from '@tanstack/react-query'
import { AppstoreAddOutlined, ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Empty, Flex, Input, Tree, Typography } from 'antd'
import { type Key, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { type Branch, expandableKeys, filterTree, placeAt, type TreePlace, treeOf, type Where } from '#ui/tree/tree.ts'
import { type PlaceNode, placeTree } from '../place-tree.ts'
import '../school.css'
import { BulkDialog } from './BulkDialog.tsx'
import { PlaceDrawer } from './PlaceDrawer.tsx'
import { PlacePanel } from './PlacePanel.tsx'
import type { ImportDefinition } from '#ui/import/import-definition.ts'
import { ImportDrawer } from '#ui/import/ImportDrawer.tsx'

const definitionOf = (schoolId: number): ImportDefinition => ({
  endpoints: placeImports,
  jobName: 'place-import',
  sheet: PlaceSheetRow,
  key: 'path',
  list: places.list,
  page: `/school/detail/${schoolId}`,
  useTexts: () => {
    const { t } = useTranslation()
    return { title: t('school.placeImportTitle'), help: t('school.placeImportHelp') }
  },
})

/** Buildings, floors and rooms of one school from a spreadsheet. */
const PlaceImportDrawer = ({ schoolId, onClose }: { schoolId: number; onClose: () => void }) => {
  const [definition] = useState(() => definitionOf(schoolId))
  return <ImportDrawer definition={definition} options={{ schoolId }} onClose={onClose} />
}

export const PlaceTitle = ({ place }: { place: PlaceRow }) => {
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

const isLacking = ({ keyPart, deviceCount }: PlaceRow) => keyPart && deviceCount === 0

const flatten = (nodes: readonly Branch<PlaceRow>[]): PlaceRow[] =>
  nodes.flatMap(({ children = [], ...row }) => [row, ...flatten(children)])

type Dropped = { dropToGap: boolean; dropPosition: number; node: { pos: string } }

/** Where antd reports that a row was dropped. */
const whereOf = ({ dropToGap, dropPosition, node }: Dropped): Where => {
  if (!dropToGap) return 'inside'
  return dropPosition - Number(node.pos.split('-').at(-1)) < 0 ? 'before' : 'after'
}

/** Sets the same values for all selected places. */
const ChosenBar = ({ ids, clear }: { ids: readonly number[]; clear: () => void }) => {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation(placeEdits.updateMany, {
    done: () => {
      notify.success(t('list.saved'))
      clear()
    },
  })
  const set = (body: { keyPart?: boolean; sensitivity?: PlaceRow['sensitivity'] }) =>
    mutate({ body: { ids: [...ids], ...body } })
  return (
    <Flex gap="small" wrap align="center" role="toolbar" aria-label={t('school.chosenPlaces', { n: ids.length })}>
      <span>{t('school.chosenPlaces', { n: ids.length })}</span>
      <Button size="small" disabled={isPending} onClick={() => set({ keyPart: true })}>
        {t('school.setKey')}
      </Button>
      <Button size="small" disabled={isPending} onClick={() => set({ keyPart: false })}>
        {t('school.unsetKey')}
      </Button>
      <Button size="small" disabled={isPending} onClick={() => set({ sensitivity: 'PRIVATE' })}>
        {t('school.setPrivate')}
      </Button>
      <Button size="small" disabled={isPending} onClick={() => set({ sensitivity: 'NORMAL' })}>
        {t('school.unsetPrivate')}
      </Button>
    </Flex>
  )
}

type TreeProps = {
  rows: readonly PlaceRow[]
  nodes: PlaceNode[]
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
  checked: readonly number[]
  onCheck: (ids: number[]) => void
  move: (place: PlaceRow, to: TreePlace) => void
}

const toIds = (keys: readonly Key[]) => keys.map(Number)

const PlaceTree = ({ rows, nodes, chosen, onChoose, checked, onCheck, move }: TreeProps) => {
  const mayUpdate = useHasPermission('school:place:update')
  return (
    <Tree<PlaceNode>
      blockNode
      showLine
      checkable={mayUpdate}
      checkStrictly
      draggable={mayUpdate && { icon: false }}
      defaultExpandedKeys={expandableKeys(nodes, rows.length > 60 ? 1 : 3)}
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

type Open = { what: 'new'; parent: PlaceRow | undefined } | { what: 'bulk'; parent: PlaceRow }

type ToolbarProps = { chosen: PlaceRow | undefined; setOpen: (open: Open) => void; openImport: () => void }

const PlaceToolbar = ({ chosen, setOpen, openImport }: ToolbarProps) => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission('school:place:create')
  const mayImport = useHasPermission(placeImports.import.permission)
  return (
    <Flex gap="small" wrap>
      {mayCreate && (
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new', parent: undefined })}>
          {t('school.addBuilding')}
        </Button>
      )}
      {mayImport && (
        <Button icon={<ImportOutlined />} onClick={openImport}>
          {t('importing.import')}
        </Button>
      )}
      {mayCreate && chosen && (
        <>
          <Button onClick={() => setOpen({ what: 'new', parent: chosen })}>{t('school.addBelow')}</Button>
          <Button icon={<AppstoreAddOutlined />} onClick={() => setOpen({ what: 'bulk', parent: chosen })}>
            {t('school.bulk')}
          </Button>
        </>
      )}
    </Flex>
  )
}

const Editor = ({ schoolId, rows }: { schoolId: number; rows: readonly PlaceRow[] }) => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const showImport = (is: boolean) =>
    setParams(
      (now) => {
        now.set('tab', 'places')
        if (is) now.set('import', 'true')
        else now.delete('import')
        return now
      },
      { replace: true },
    )
  const [chosenId, setChosenId] = useState<number>()
  const [checked, setChecked] = useState<number[]>([])
  const [open, setOpen] = useState<Open>()
  const [keyword, setKeyword] = useState('')
  const [onlyLacking, setOnlyLacking] = useState(false)
  const { mutate } = useApiMutation(placeEdits.move)
  const move = ({ id, version }: PlaceRow, to: TreePlace) => mutate({ body: { id, version, ...to } })
  const chosen = rows.find(({ id }) => id === chosenId)
  const keyAreas = rows.filter(({ keyPart }) => keyPart)
  const matches = (place: PlaceRow) =>
    (!onlyLacking || isLacking(place)) && `${place.name} ${place.code ?? ''}`.includes(keyword.trim())
  const nodes = placeTree(flatten(filterTree(treeOf(rows), matches)))
  return (
    <Flex vertical gap="middle">
      <PlaceToolbar chosen={chosen} setOpen={setOpen} openImport={() => showImport(true)} />
      {rows.length === 0 ? (
        <Empty image={null} description={t('school.noPlaces')} />
      ) : (
        <div className="place-editor">
          <Flex vertical gap="small">
            <Input
              allowClear
              aria-label={t('school.placeSearch')}
              placeholder={t('school.placeSearch')}
              value={keyword}
              onChange={({ target }) => setKeyword(target.value)}
            />
            {keyAreas.length > 0 && (
              <Flex gap="small" wrap align="center">
                <span>{t('school.keyAreas', { n: keyAreas.length, lacking: keyAreas.filter(isLacking).length })}</span>
                <Checkbox checked={onlyLacking} onChange={({ target }) => setOnlyLacking(target.checked)}>
                  {t('school.onlyLacking')}
                </Checkbox>
              </Flex>
            )}
            {checked.length > 0 && <ChosenBar ids={checked} clear={() => setChecked([])} />}
            <div className="place-tree">
              <PlaceTree
                // Expanded again when it is filtered, so that results are visible.
                key={`${onlyLacking} ${keyword !== ''}`}
                {...{ rows, nodes, checked, move }}
                chosen={chosenId}
                onChoose={setChosenId}
                onCheck={setChecked}
              />
            </div>
            <Typography.Text type="secondary">{t('school.placeFound', { n: rows.length })}</Typography.Text>
          </Flex>
          {chosen ? (
            <PlacePanel
              key={chosen.id}
              place={chosen}
              rows={rows}
              move={move}
              onDeleted={() => setChosenId(undefined)}
            />
          ) : (
            <Typography.Text type="secondary">{t('school.placeChoose')}</Typography.Text>
          )}
        </div>
      )}
      {open?.what === 'new' && (
        <PlaceDrawer schoolId={schoolId} parent={open.parent} place={undefined} onClose={() => setOpen(undefined)} />
      )}
      {params.has('import') && <PlaceImportDrawer schoolId={schoolId} onClose={() => showImport(false)} />}
      {open?.what === 'bulk' && (
        <BulkDialog schoolId={schoolId} parent={open.parent} rows={rows} onClose={() => setOpen(undefined)} />
      )}
    </Flex>
  )
}

/** The places of a school: the tree, and the selected place beside it. */
export const PlaceEditor = ({ schoolId }: { schoolId: number }) => {
  const query = useQuery(inlineQuery(places.list, { query: { schoolId } }))
  return <QueryResult query={query}>{(rows) => <Editor schoolId={schoolId} rows={rows} />}</QueryResult>
}
