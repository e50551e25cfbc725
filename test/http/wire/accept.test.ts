import t from 'tap';
import { preferredFormat, prefersCsv } from '../../../http/wire/accept.ts';

const parquet = 'application/vnd.apache.parquet';

t.test(
  'JSON is the default, also without a header and for what asks for nothing that there is',
  async (t) => {
    const headers = [
      '',
      ' ',
      ',',
      '*/*',
      'application/json',
      'application/*',
      'text/html',
      'nonsense',
    ];
    const browser = 'text/html, application/xhtml+xml, */*;q=0.8';
    for (const header of [...headers, browser, '*/*;q=0', `${parquet}, application/json`]) {
      t.strictSame([preferredFormat(header), prefersCsv(header)], ['json', false], header);
    }
  },
);

t.test('the format with the greatest weight', async (t) => {
  const wanted = {
    [parquet]: 'parquet',
    [`text/csv;q=0.5, ${parquet}`]: 'parquet',
    'application/vnd.apache.parquet, */*;q=0.5': 'parquet',
    'application/json;q=0.2, application/vnd.apache.parquet;q=0.3': 'parquet',
    'text/*': 'csv',
    'application/json;q=0.2, */*;q=0.5': 'csv',
    'application/json;q=0.5, text/csv;q=0.4': 'json',
  };
  for (const [header, format] of Object.entries(wanted)) {
    t.equal(preferredFormat(header), format, header);
  }
  t.ok(prefersCsv(`text/csv;q=0.5, ${parquet}`), 'of a table that is no file, what there is');
});
