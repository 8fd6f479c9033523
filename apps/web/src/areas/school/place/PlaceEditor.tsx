import { type PlaceRow, places } from '@tocsin/contract/school/place'
import { placeEdits, placeImports, PlaceSheetRow } from '@tocsin/contract/school/place-edits'
import { useQuery } from '@tanstack/react-query'
import { AppstoreAddOutlined, ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Empty, Flex, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { type Branch, filterTree, treeOf } from '#ui/tree/tree.ts'
import { placeTree } from '../place-tree.ts'
import '../school.css'
import { BulkDialog } from './BulkDialog.tsx'
import { PlaceDrawer } from './PlaceDrawer.tsx'
import { PlacePanel } from './PlacePanel.tsx'
import { PlaceTree } from './PlaceTree.tsx'
import { usePlaceKeys } from './use-place-keys.ts'
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

const isLacking = ({ keyPart, deviceCount }: PlaceRow) => keyPart && deviceCount === 0

const flatten = (nodes: readonly Branch<PlaceRow>[]): PlaceRow[] =>
  nodes.flatMap(({ children = [], ...row }) => [row, ...flatten(children)])

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

type Open =
  | { what: 'new'; parent: PlaceRow | undefined }
  | { what: 'bulk'; parent: PlaceRow }
  | { what: 'edit'; place: PlaceRow }

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

/** The keys of the tree; while a place is moved, those of the move. */
const PlaceKeyHelp = ({ moving }: { moving: PlaceRow | undefined }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('school:place:update')
  if (!mayUpdate) return null
  return (
    <Typography.Text {...(moving ? { strong: true } : { type: 'secondary' })} className="place-keys" role="status">
      {moving ? t('school.placeMoving', { name: moving.name }) : t('school.placeKeys')}
    </Typography.Text>
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
  const chosen = rows.find(({ id }) => id === chosenId)
  const keys = usePlaceKeys(rows, {
    chosen,
    onEdit: (place) => setOpen({ what: 'edit', place }),
    onBulk: (parent) => setOpen({ what: 'bulk', parent }),
  })
  const keyAreas = rows.filter(({ keyPart }) => keyPart)
  const matches = (place: PlaceRow) =>
    (!onlyLacking || isLacking(place)) && `${place.name} ${place.code ?? ''}`.includes(keyword.trim())
  const nodes = placeTree(flatten(filterTree(treeOf(keys.rows), matches)))
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
            <div className="place-tree" onKeyDownCapture={keys.onKeyDown} onBlur={keys.onBlur}>
              <PlaceTree
                // Expanded again when it is filtered, so that results are visible.
                key={`${onlyLacking} ${keyword !== ''}`}
                {...{ rows, nodes, checked }}
                move={keys.move}
                movingId={keys.moving?.id}
                chosen={chosenId}
                onChoose={setChosenId}
                onCheck={setChecked}
              />
            </div>
            <PlaceKeyHelp moving={keys.moving} />
            <Typography.Text type="secondary">{t('school.placeFound', { n: rows.length })}</Typography.Text>
          </Flex>
          {chosen ? (
            <PlacePanel
              key={chosen.id}
              place={chosen}
              rows={rows}
              move={keys.move}
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
      {open?.what === 'edit' && (
        <PlaceDrawer schoolId={schoolId} parent={undefined} place={open.place} onClose={() => setOpen(undefined)} />
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
