import { CATEGORY_DICT, SituationDetail } from '@tocsin/contract/police/situation'
import { labelIn } from '@tocsin/contract/field'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { PrintFacts, PrintSheet } from '#ui/print/PrintSheet.tsx'
import { formatDateTime, formatTime } from '#ui/time.ts'
import { formatActor } from '#ui/workflow/format-actor.ts'

const NONE = '–'
const fields = SituationDetail.shape
const milestones = [
  'receivedAt',
  'claimedAt',
  'dispatchedAt',
  'signedAt',
  'departedAt',
  'arrivedAt',
  'fedBackAt',
  'closedAt',
] as const
const stamps = ['assignedAt', 'receivedAt', 'departedAt', 'arrivedAt', 'endedAt'] as const
const plain = ['schoolName', 'place', 'address', 'stationName', 'ownerName', 'recordNo', 'summary', 'result'] as const

type Props = { situation: SituationDetail; onDone: () => void }

const Units = ({ situation }: Pick<Props, 'situation'>) => {
  const { t } = useTranslation()
  const lang = useLang()
  if (situation.units.length === 0) return null
  const { element } = fields.units
  return (
    <>
      <h2>{t('police.unitsTitle')}</h2>
      <table>
        <thead>
          <tr>
            <th>{labelIn(lang, element.shape.unitName)}</th>
            <th>{labelIn(lang, element.shape.state)}</th>
            {stamps.map((name) => (
              <th key={name}>{labelIn(lang, element.shape[name])}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {situation.units.map((unit) => (
            <tr key={unit.id}>
              <td>{unit.unitName}</td>
              <td>{enumLabel('assignmentState', unit.state, lang)}</td>
              {stamps.map((name) => {
                const at = unit[name]
                return <td key={name}>{at ? formatTime(at) : NONE}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const Log = ({ situation }: Pick<Props, 'situation'>) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <>
      <h2>{t('workflow.timeline')}</h2>
      <table>
        <tbody>
          {situation.log.toReversed().map(({ id, at, verb, reportKind, unitName, text, files, ...actor }) => (
            <tr key={id}>
              <td>{formatDateTime(at)}</td>
              <td>{formatActor(actor) ?? t('workflow.system')}</td>
              <td>
                {[
                  enumLabel('situationLogVerb', verb, lang),
                  reportKind && enumLabel('reportKind', reportKind, lang),
                  unitName,
                ]
                  .filter(Boolean)
                  .join(' ')}
              </td>
              <td>
                {text}
                {files.length > 0 && ` (${t('police.files', { n: files.length })})`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** One incident on paper, ready for the file. */
export const SituationPrint = ({ situation, onDone }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { no, state, grade, mode, source, category, disposition } = situation
  return (
    <PrintSheet title={`${t('police.sheet')} ${no}`} onDone={onDone}>
      <PrintFacts
        facts={[
          [labelIn(lang, fields.state), enumLabel('situationState', state, lang)],
          [labelIn(lang, fields.grade), enumLabel('level', grade, lang)],
          ...(mode === 'LIVE' ? [] : [[labelIn(lang, fields.mode), enumLabel('mode', mode, lang)] as const]),
          [labelIn(lang, fields.source), enumLabel('situationSource', source, lang)],
          [labelIn(lang, fields.category), category ? <DictTag type={CATEGORY_DICT} value={category} /> : NONE],
          ...plain.map((name) => [labelIn(lang, fields[name]), situation[name] ?? NONE] as const),
          [
            labelIn(lang, fields.disposition),
            disposition ? enumLabel('situationDisposition', disposition, lang) : NONE,
          ],
          ...milestones.map((name) => {
            const at = situation[name]
            return [labelIn(lang, fields[name]), at ? formatDateTime(at) : NONE] as const
          }),
        ]}
      />
      <Units situation={situation} />
      <Log situation={situation} />
    </PrintSheet>
  )
}
